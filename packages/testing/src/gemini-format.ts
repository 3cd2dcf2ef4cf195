// Google's generateContent, as the scripted upstream answers it. A tool call comes whole in one part, and
// every event repeats the usage so far, as at the real service.
import type { AnswerFormat, EventFrame, EventWriter, OpenStream } from "./answer-format.ts";
import { assembleMessage, type Step } from "./generate-deltas.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { parseGeminiBody } from "./parse-gemini-body.ts";
import type { Script } from "./parse-script.ts";
import { reportUsage, type TokenCounts, type UsageShape } from "./report-usage.ts";

type Part = Readonly<Record<string, unknown>>;

const geminiUsage: UsageShape = {
  of: ({ prompt, completion, reasoning, cached }) => ({
    promptTokenCount: prompt,
    // As in all JSON of protocol buffers, a zero is omitted.
    ...(completion > reasoning && { candidatesTokenCount: completion - reasoning }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    totalTokenCount: prompt + completion,
  }),
  plain: (prompt, completion) => ({
    promptTokenCount: prompt,
    candidatesTokenCount: completion,
    totalTokenCount: prompt,
  }),
};

export const geminiFormat: AnswerFormat = {
  parseBody: parseGeminiBody,
  usage: geminiUsage,
  errorBody: (status, error) => ({ error: errorOf(status, error) }),
  errorEvents: (error) => [{ data: JSON.stringify({ error: errorOf(500, error) }), tokens: 0 }],
  whole({ id, chat, steps }, usage) {
    const candidates = Array.from({ length: chat.choices }, (_, index) => {
      const own = steps.filter((step) => step.choice === index);
      const finish = own.at(-1)?.finish ?? null;
      return candidateOf(index, partsOf(own), finish);
    });
    return { candidates, ...headOf(id, chat.model), ...(usage !== undefined && usageOf(usage)) };
  },
  open: (stream) => new ResponseWriter(stream),
};

const usageOf = (usage: unknown) => ({ usageMetadata: usage });
const headOf = (id: string, model: string) => ({ modelVersion: model, responseId: id });

const statusWords: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

function errorOf(status: number, error: Script["error"]): unknown {
  if (typeof error === "object") return error;
  const message = error ?? `Scripted error ${status}.`;
  return { code: status, message, status: statusWords[status] ?? "INTERNAL" };
}

const finishWords: Readonly<Record<string, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

function candidateOf(index: number, parts: readonly Part[], finish: string | null) {
  const finishReason = finish === null ? {} : { finishReason: finishWords[finish] ?? finish };
  return { content: { parts, role: "model" }, ...finishReason, index };
}

/** Only the first call of a turn has one. */
const scriptedSignature = Buffer.from("scripted signature").toString("base64");

type Call = { readonly name: unknown; spelled: string; tokens: number };

function callPart(call: Pick<Call, "name" | "spelled">, isFirst: boolean): Part {
  const functionCall = { name: call.name, args: JSON.parse(call.spelled || "{}") };
  return isFirst ? { functionCall, thoughtSignature: scriptedSignature } : { functionCall };
}

function partsOf(steps: readonly Step[]): Part[] {
  const message = assembleMessage(steps);
  const thought = message.reasoning_content ?? message.reasoning;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(fieldsOf) : [];
  const parts: Part[] = [];
  if (thought !== undefined) parts.push({ text: thought, thought: true });
  if (message.content !== null) parts.push({ text: message.content });
  for (const [index, call] of calls.entries()) {
    const { name, arguments: spelled } = fieldsOf(call.function);
    parts.push(callPart({ name, spelled: String(spelled) }, index === 0));
  }
  return parts;
}

class ResponseWriter implements EventWriter {
  readonly #stream: OpenStream;
  /** The current call of each choice, whose fragments are sent in one part. */
  readonly #calls = new Map<number, Call>();
  readonly #called = new Set<number>();

  constructor(stream: OpenStream) {
    this.#stream = stream;
  }

  step({ choice, delta, finish, tokens }: Step, counts: TokenCounts): readonly EventFrame[] {
    const frames: EventFrame[] = [];
    const [fragment] = Array.isArray(delta.tool_calls) ? delta.tool_calls.map(fieldsOf) : [];
    const { name, arguments: spelled } = fieldsOf(fragment?.function);
    if (name !== undefined || finish !== null) frames.push(...this.#endCall(choice, counts));
    if (name !== undefined) this.#calls.set(choice, { name, spelled: "", tokens: 0 });
    const call = this.#calls.get(choice);
    if (fragment !== undefined && call !== undefined) {
      call.spelled += String(spelled);
      call.tokens += tokens;
    }
    const thought = delta.reasoning_content ?? delta.reasoning;
    if (thought !== undefined) {
      frames.push(this.#event(choice, { text: thought, thought: true }, counts, tokens));
    } else if (typeof delta.content === "string" && delta.content !== "") {
      frames.push(this.#event(choice, { text: delta.content }, counts, tokens));
    }
    if (finish !== null) frames.push(this.#finish(choice, finish, counts));
    return frames;
  }

  /** The connection ends with the stream: there is no other end marker. */
  end(): readonly EventFrame[] {
    return [];
  }

  #endCall(choice: number, counts: TokenCounts): EventFrame[] {
    const call = this.#calls.get(choice);
    if (call === undefined) return [];
    this.#calls.delete(choice);
    const part = callPart(call, !this.#called.has(choice));
    this.#called.add(choice);
    return [this.#event(choice, part, counts, call.tokens)];
  }

  #event(choice: number, part: Part, counts: TokenCounts, tokens: number): EventFrame {
    const { script } = this.#stream;
    const { usage = "right" } = script;
    const isRepeated = usage === "right" || typeof usage === "object";
    return this.#frame(candidateOf(choice, [part], null), isRepeated ? counts : undefined, tokens);
  }

  #finish(choice: number, finish: string, counts: TokenCounts): EventFrame {
    return this.#frame(candidateOf(choice, [{ text: "" }], finish), counts, 0);
  }

  #frame(candidate: unknown, counts: TokenCounts | undefined, tokens: number): EventFrame {
    const { id, chat, script } = this.#stream;
    const usage = counts && reportUsage(script.usage, counts, geminiUsage).at(-1);
    const shown = usage === undefined ? {} : usageOf(usage);
    const event = { candidates: [candidate], ...shown, ...headOf(id, chat.model) };
    return { data: JSON.stringify(event), tokens, usage };
  }
}
