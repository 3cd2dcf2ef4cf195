// OpenAI's chat completions, as the scripted upstream answers them.
import type { AnswerFormat, EventFrame, EventWriter, OpenStream } from "./answer-format.ts";
import { assembleMessage, type Step } from "./generate-deltas.ts";
import { parseChatBody } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import { openaiUsage, reportUsage, type TokenCounts } from "./report-usage.ts";

export const openaiFormat: AnswerFormat = {
  parseBody: parseChatBody,
  usage: openaiUsage,
  errorBody: (status, error) => ({ error: errorOf(status, error) }),
  errorEvents: (error) => [frame({ error: errorOf(500, error) })],
  whole({ id, chat, script, steps }, usage) {
    const choices = Array.from({ length: chat.choices }, (_, index) => {
      const own = steps.filter((step) => step.choice === index);
      const finish = own.at(-1)?.finish ?? null;
      return { index, message: assembleMessage(own), logprobs: null, finish_reason: finish };
    });
    const created = Math.floor(Date.now() / 1000);
    const head = { id, object: "chat.completion", created, model: chat.model };
    const answer = { ...head, choices, ...namedTier(script) };
    return usage === undefined ? answer : { ...answer, usage };
  },
  open: (stream) => new ChunkWriter(stream),
};

const errorsByStatus: Readonly<Record<number, { type: string; code: string | null }>> = {
  401: { type: "invalid_request_error", code: "invalid_api_key" },
  404: { type: "invalid_request_error", code: "model_not_found" },
  429: { type: "requests", code: "rate_limit_exceeded" },
};

/** The `error` member for a status: an object as given, or one in OpenAI's shape around a message. */
function errorOf(status: number, error: Script["error"]): unknown {
  if (typeof error === "object") return error;
  // An error inside a 200 is the upstream's own, unless its script says otherwise.
  const isCallers = status >= 400 && status < 500;
  const type = isCallers ? "invalid_request_error" : "server_error";
  const known = errorsByStatus[status] ?? { type, code: null };
  return { message: error ?? `Scripted error ${status}.`, param: null, ...known };
}

function frame(chunk: unknown, tokens = 0): EventFrame {
  return { data: JSON.stringify(chunk), tokens };
}

function namedTier({ serviceTier }: Script): { service_tier?: string } {
  return serviceTier === undefined ? {} : { service_tier: serviceTier };
}

class ChunkWriter implements EventWriter {
  readonly #stream: OpenStream;
  readonly #created = Math.floor(Date.now() / 1000);

  constructor(stream: OpenStream) {
    this.#stream = stream;
  }

  step({ choice, delta, finish, tokens }: Step, counts: TokenCounts): readonly EventFrame[] {
    const { script } = this.#stream;
    const choices = [{ index: choice, delta, logprobs: null, finish_reason: finish }];
    const usage =
      finish !== null && script.usageOnFinish
        ? reportUsage(script.usage, counts, openaiUsage).at(-1)
        : undefined;
    return [this.#chunk(choices, usage, tokens)];
  }

  /** The usage chunk, if it was requested, and `[DONE]`. */
  end(counts: TokenCounts): readonly EventFrame[] {
    const { script, chat } = this.#stream;
    const usages = chat.includeUsage ? reportUsage(script.usage, counts, openaiUsage) : [];
    const frames = usages.map((usage) => this.#chunk([], usage, 0));
    return script.noDone ? frames : [...frames, { data: "[DONE]", tokens: 0 }];
  }

  #chunk(choices: readonly unknown[], usage: unknown, tokens: number): EventFrame {
    const { id, chat, script } = this.#stream;
    const padding = script.padBytes && { obfuscation: "x".repeat(script.padBytes) };
    const head = { id, object: "chat.completion.chunk", created: this.#created, model: chat.model };
    const shown = usage ?? (chat.includeUsage ? null : undefined);
    const chunk = { ...head, ...namedTier(script), ...padding, choices, usage: shown };
    return { ...frame(chunk, tokens), usage };
  }
}
