// Anthropic's messages, as the scripted upstream answers them: blocks one after the other, cumulative usage,
// and `message_stop` at the end.
import type { AnswerFormat, EventFrame, EventWriter, OpenStream } from "./answer-format.ts";
import type { Step } from "./generate-deltas.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { parseMessagesBody } from "./parse-messages-body.ts";
import type { Script } from "./parse-script.ts";
import { reportUsage, type TokenCounts, type UsageShape } from "./report-usage.ts";

type Fields = Record<string, unknown>;

/** Cached tokens are not part of the input here. */
const messagesUsage: UsageShape = {
  of: ({ prompt, completion, reasoning, cached, cacheWrite = 0, cacheWrite1h = 0 }) => ({
    input_tokens: Math.max(prompt - cached - cacheWrite, 0),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrite - cacheWrite1h,
      ephemeral_1h_input_tokens: cacheWrite1h,
    },
    output_tokens: completion,
    output_tokens_details: { thinking_tokens: reasoning },
    service_tier: "standard",
  }),
  plain: (prompt, completion) => ({ input_tokens: prompt, output_tokens: completion }),
};

export const messagesFormat: AnswerFormat = {
  parseBody: parseMessagesBody,
  usage: messagesUsage,
  errorBody,
  errorEvents: (error) => [frame({ type: "error", ...errorBody(500, error) })],
  whole({ id, chat, script, steps }, usage) {
    const blocks = new Blocks(script);
    for (const step of steps) for (const event of blocks.read(step)) blocks.fold(event);
    for (const event of blocks.close()) blocks.fold(event);
    const finish = steps.at(-1)?.finish ?? null;
    const stop = finish === null ? noStop : stopOf(script, finish);
    const message = { ...messageHead(id, chat.model), content: blocks.content, ...stop };
    return usage === undefined ? message : { ...message, usage };
  },
  open: (stream) => new MessageWriter(stream),
};

const noStop = { stop_reason: null, stop_sequence: null };

function messageHead(id: string, model: string): Fields {
  return { id, type: "message", role: "assistant", model, content: [], ...noStop };
}

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  529: "overloaded_error",
};

/** An error inside a 200 is the upstream's own, unless its script says otherwise. */
function isCallers(status: number): boolean {
  return status >= 400 && status < 500;
}

function errorBody(status: number, error: Script["error"]): Fields {
  if (typeof error === "object") return { type: "error", error };
  const type = errorTypes[status] ?? (isCallers(status) ? "invalid_request_error" : "api_error");
  const message = error ?? `Scripted error ${status}.`;
  return { type: "error", error: { type, message }, request_id: "req_upstream" };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

function stopOf(script: Script, finish: string): Fields {
  if (script.stopSequence !== undefined && finish === "stop") {
    return { stop_reason: "stop_sequence", stop_sequence: script.stopSequence };
  }
  return { stop_reason: stopReasons[finish] ?? finish, stop_sequence: null };
}

function frame(event: Fields, tokens = 0): EventFrame {
  return { name: String(event.type), data: JSON.stringify(event), tokens };
}

type Kind = "text" | "thinking" | "tool_use";

/** The blocks of one message: what each step begins, fills and ends. */
class Blocks {
  readonly content: Fields[] = [];
  #index = -1;
  #open: Kind | undefined;
  #spelled = "";

  constructor(readonly script: Script) {}

  read({ delta }: Step): Fields[] {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === "string") {
      return [
        ...this.#need("thinking"),
        this.#delta({ type: "thinking_delta", thinking: reasoning }),
      ];
    }
    if (typeof delta.content === "string" && delta.content !== "") {
      return [...this.#need("text"), this.#delta({ type: "text_delta", text: delta.content })];
    }
    const [call] = Array.isArray(delta.tool_calls) ? delta.tool_calls.map(fieldsOf) : [];
    return call === undefined ? [] : this.#readCall(call);
  }

  /** Ends the open block; what follows reasoning is sent with its end. */
  close(): Fields[] {
    if (this.#open === undefined) return [];
    const isThinking = this.#open === "thinking";
    const { signature, redacted } = this.script;
    const events: Fields[] = [];
    if (isThinking && signature !== undefined) {
      events.push(this.#delta({ type: "signature_delta", signature }));
    }
    events.push({ type: "content_block_stop", index: this.#index });
    this.#open = undefined;
    if (!isThinking || redacted === undefined) return events;
    this.#index += 1;
    const block = { type: "redacted_thinking", data: redacted };
    const index = this.#index;
    events.push({ type: "content_block_start", index, content_block: block });
    events.push({ type: "content_block_stop", index });
    return events;
  }

  fold({ type, content_block: begun, delta }: Fields): void {
    if (type === "content_block_start") {
      this.content.push({ ...fieldsOf(begun) });
      this.#spelled = "";
      return;
    }
    const block = this.content.at(-1);
    if (block === undefined) return;
    const { type: _, partial_json: json, ...texts } = fieldsOf(delta);
    for (const [key, text] of Object.entries(texts)) block[key] = String(block[key]) + String(text);
    this.#spelled += String(json ?? "");
    if (block.type === "tool_use" && type === "content_block_stop" && this.#spelled !== "") {
      block.input = JSON.parse(this.#spelled);
    }
  }

  #readCall(call: Fields): Fields[] {
    const { name, arguments: fragment } = fieldsOf(call.function);
    if (call.id !== undefined) {
      const block = { type: "tool_use", id: call.id, name, input: {} };
      return this.#begin("tool_use", block);
    }
    return [this.#delta({ type: "input_json_delta", partial_json: fragment })];
  }

  #need(kind: "text" | "thinking"): Fields[] {
    if (this.#open === kind) return [];
    const signed = kind === "thinking" ? { signature: "" } : {};
    return this.#begin(kind, { type: kind, [kind]: "", ...signed });
  }

  #begin(kind: Kind, block: Fields): Fields[] {
    const events = this.close();
    this.#open = kind;
    this.#index += 1;
    return [...events, { type: "content_block_start", index: this.#index, content_block: block }];
  }

  #delta(delta: Fields): Fields {
    return { type: "content_block_delta", index: this.#index, delta };
  }
}

class MessageWriter implements EventWriter {
  readonly #stream: OpenStream;
  readonly #blocks: Blocks;
  #finish: string | undefined;

  constructor(stream: OpenStream) {
    this.#stream = stream;
    this.#blocks = new Blocks(stream.script);
  }

  step(step: Step, counts: TokenCounts): readonly EventFrame[] {
    const frames = step.delta.role === undefined ? [] : this.#begin(counts);
    const events = this.#blocks.read(step);
    frames.push(
      ...events.map((event, at) => this.#frame(event, at === events.length - 1 ? step.tokens : 0)),
    );
    if (step.finish === null) return frames;
    this.#finish = step.finish;
    return [...frames, ...this.#blocks.close().map((event) => this.#frame(event))];
  }

  /** Why it ended and what it used; a message that did not finish has no end. */
  end(counts: TokenCounts): readonly EventFrame[] {
    const { script } = this.#stream;
    if (this.#finish === undefined) return [];
    const delta = stopOf(script, this.#finish);
    const reports = reportUsage(script.usage, counts, messagesUsage);
    const frames = (reports.length === 0 ? [undefined] : reports).map((usage) => {
      const event = { type: "message_delta", delta, ...(usage !== undefined && { usage }) };
      return { ...this.#frame(event), usage };
    });
    return script.noDone ? frames : [...frames, this.#frame({ type: "message_stop" })];
  }

  /** The usage at the beginning is right, or omitted if the script has another. */
  #begin(counts: TokenCounts): EventFrame[] {
    const { id, chat, script } = this.#stream;
    const head = messageHead(id, chat.model);
    const usage =
      script.usage === undefined ? messagesUsage.of({ ...counts, completion: 1 }) : undefined;
    const message = usage === undefined ? head : { ...head, usage };
    const start = { ...this.#frame({ type: "message_start", message }), usage };
    return [start, this.#frame({ type: "ping" })];
  }

  #frame(event: Fields, tokens = 0): EventFrame {
    const { padBytes } = this.#stream.script;
    return frame(padBytes ? { ...event, padding: "x".repeat(padBytes) } : event, tokens);
  }
}
