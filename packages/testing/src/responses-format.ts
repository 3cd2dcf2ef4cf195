// OpenAI's responses, as the scripted upstream answers them: items that are added, grow and are done, numbered
// events, and the whole response in the last one.
import type { AnswerFormat, EventFrame, EventWriter, OpenStream } from "./answer-format.ts";
import type { Step } from "./generate-deltas.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { parseResponsesBody } from "./parse-responses-body.ts";
import type { Script } from "./parse-script.ts";
import { reportUsage, type TokenCounts, type UsageShape } from "./report-usage.ts";

type Fields = Record<string, unknown>;

const responsesUsage: UsageShape = {
  of: ({ prompt, completion, reasoning, cached, cacheWrite = 0 }) => ({
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + completion,
  }),
  plain: (prompt, completion) => ({
    input_tokens: prompt,
    output_tokens: completion,
    total_tokens: prompt,
  }),
};

export const responsesFormat: AnswerFormat = {
  parseBody: parseResponsesBody,
  usage: responsesUsage,
  errorBody: (status, error) => ({ error: errorOf(status, error) }),
  errorEvents: (error) => [frame({ type: "error", ...fieldsOf(errorOf(500, error)) })],
  whole({ id, chat, script, steps }, usage) {
    const output = new Output(id, script);
    for (const step of steps) output.read(step);
    output.close();
    const ended = endOf(steps.at(-1)?.finish ?? null);
    return { ...headOf(id, chat.model), ...ended, output: output.items, usage: usage ?? null };
  },
  open: (stream) => new ResponseWriter(stream),
};

function headOf(id: string, model: string): Fields {
  return { id: id.replace("chatcmpl", "resp"), object: "response", created_at: 1, model };
}

function errorOf(status: number, error: Script["error"]): unknown {
  if (typeof error === "object") return error;
  const message = error ?? `Scripted error ${status}.`;
  const code = status === 429 ? "rate_limit_exceeded" : status >= 500 ? "server_error" : null;
  return { message, type: status >= 500 ? "server_error" : "requests", param: null, code };
}

/** A null finish is that of a response without an end. */
function endOf(finish: string | null): Fields {
  if (finish === null) return { status: "in_progress" };
  const reason = { length: "max_output_tokens", content_filter: "content_filter" }[finish];
  if (reason === undefined) return { status: "completed", error: null, incomplete_details: null };
  return { status: "incomplete", error: null, incomplete_details: { reason } };
}

function frame(event: Fields, tokens = 0): EventFrame {
  return { name: String(event.type), data: JSON.stringify(event), tokens };
}

type Kind = "message" | "reasoning" | "function_call";

/** The items of one response: what each step begins, fills and ends, as events without numbers. */
class Output {
  readonly items: Fields[] = [];
  #kind: Kind | undefined;
  #text = "";

  constructor(
    readonly responseId: string,
    readonly script: Script,
  ) {}

  read({ delta }: Step): Fields[] {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === "string") {
      const summary_index = 0;
      return this.#grow("reasoning", reasoning, "reasoning_summary_text", { summary_index });
    }
    if (typeof delta.content === "string" && delta.content !== "") {
      const more = { content_index: 0, logprobs: [] };
      return this.#grow("message", delta.content, "output_text", more);
    }
    const [call] = Array.isArray(delta.tool_calls) ? delta.tool_calls.map(fieldsOf) : [];
    if (call === undefined) return [];
    const { name, arguments: fragment } = fieldsOf(call.function);
    if (call.id !== undefined) {
      return this.#begin("function_call", { call_id: call.id, name, arguments: "" });
    }
    return this.#grow("function_call", String(fragment), "function_call_arguments", {});
  }

  close(): Fields[] {
    const item = this.items.at(-1);
    if (this.#kind === undefined || item === undefined) return [];
    const output_index = this.items.length - 1;
    const ends = this.#endContent(item, { item_id: item.id, output_index });
    item.status = "completed";
    this.#kind = undefined;
    return [...ends, { type: "response.output_item.done", output_index, item }];
  }

  /** Fills the item with what it grew to. */
  #endContent(item: Fields, place: Fields): Fields[] {
    const text = this.#text;
    if (this.#kind === "message") {
      const part = { type: "output_text", text, annotations: [], logprobs: [] };
      item.content = [part];
      const at = { ...place, content_index: 0 };
      return [
        { type: "response.output_text.done", ...at, text, logprobs: [] },
        { type: "response.content_part.done", ...at, part },
      ];
    }
    if (this.#kind === "reasoning") {
      const part = { type: "summary_text", text };
      item.summary = [part];
      item.encrypted_content = this.script.redacted ?? "scripted reasoning";
      const at = { ...place, summary_index: 0 };
      return [
        { type: "response.reasoning_summary_text.done", ...at, text },
        { type: "response.reasoning_summary_part.done", ...at, part },
      ];
    }
    item.arguments = text;
    const { name } = item;
    return [{ type: "response.function_call_arguments.done", ...place, name, arguments: text }];
  }

  #grow(kind: Kind, delta: string, what: string, more: Fields): Fields[] {
    const events = this.#kind === kind ? [] : this.#begin(kind, emptyItems[kind]);
    this.#text += delta;
    const place = { item_id: this.items.at(-1)?.id, output_index: this.items.length - 1 };
    return [...events, { type: `response.${what}.delta`, ...place, ...more, delta }];
  }

  #begin(kind: Kind, content: Fields): Fields[] {
    const events = this.close();
    // Different in every response, as at OpenAI: later requests refer to items by them.
    const name = this.responseId.replace("chatcmpl-", "");
    const id = `${idPrefixes[kind]}_${name}_${this.items.length}`;
    this.#kind = kind;
    this.#text = "";
    this.items.push({ id, type: kind, status: "in_progress", ...content });
    const place = { item_id: id, output_index: this.items.length - 1 };
    events.push({
      type: "response.output_item.added",
      output_index: this.items.length - 1,
      item: { ...this.items.at(-1) },
    });
    if (kind === "message") {
      const part = { type: "output_text", text: "", annotations: [], logprobs: [] };
      events.push({ type: "response.content_part.added", ...place, content_index: 0, part });
    } else if (kind === "reasoning") {
      const part = { type: "summary_text", text: "" };
      const type = "response.reasoning_summary_part.added";
      events.push({ type, ...place, summary_index: 0, part });
    }
    return events;
  }
}

const idPrefixes: Readonly<Record<Kind, string>> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
};

const emptyItems: Readonly<Record<Kind, Fields>> = {
  message: { role: "assistant", content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: "" },
};

class ResponseWriter implements EventWriter {
  readonly #stream: OpenStream;
  readonly #output: Output;
  #sequence = 0;
  #finish: string | undefined;

  constructor(stream: OpenStream) {
    this.#stream = stream;
    this.#output = new Output(stream.id, stream.script);
  }

  step(step: Step): readonly EventFrame[] {
    const frames = step.delta.role === undefined ? [] : this.#begin();
    const events = this.#output.read(step);
    if (step.finish !== null) {
      this.#finish = step.finish;
      events.push(...this.#output.close());
    }
    const last = events.length - 1;
    return [
      ...frames,
      ...events.map((event, at) => this.#frame(event, at === last ? step.tokens : 0)),
    ];
  }

  /** The last event has the usage; a response that did not finish has none. */
  end(counts: TokenCounts): readonly EventFrame[] {
    const { script } = this.#stream;
    if (this.#finish === undefined || script.noDone === true) return [];
    const usage = reportUsage(script.usage, counts, responsesUsage).at(-1);
    const ended = endOf(this.#finish);
    const response = {
      ...this.#response(),
      ...ended,
      output: this.#output.items,
      usage: usage ?? null,
    };
    return [{ ...this.#frame({ type: `response.${String(ended.status)}`, response }), usage }];
  }

  #begin(): EventFrame[] {
    const response = { ...this.#response(), status: "in_progress", output: [], usage: null };
    return ["created", "in_progress"].map((state) =>
      this.#frame({ type: `response.${state}`, response }),
    );
  }

  #response(): Fields {
    return headOf(this.#stream.id, this.#stream.chat.model);
  }

  #frame({ type, ...rest }: Fields, tokens = 0): EventFrame {
    const { padBytes } = this.#stream.script;
    const padding = padBytes ? { obfuscation: "x".repeat(padBytes) } : {};
    const numbered = { type, sequence_number: this.#sequence, ...rest, ...padding };
    this.#sequence += 1;
    return frame(numbered, tokens);
  }
}
