// Typed deltas as the stream parts of the AI SDK's language models: blocks of text and reasoning one after the other, and the
// calls when all of them are complete. A whole answer consists of the same parts.
import type { JsonObject } from "@turnpike/base";
import { WholeReasoning } from "../chat/present-reasoning.ts";
import { joinToolCall } from "../protocol/join-tool-call.ts";
import type { DeltaEvent, FinishReason, ToolCall } from "../protocol/pivot.ts";
import type { LanguageRequest } from "./parse-language-request.ts";

/** One part of a stream. */
export type StreamPart = JsonObject & { readonly type: string };

type Open = { readonly kind: "text" | "reasoning"; readonly id: string };

/** Feed it deltas in order. */
export class PartWriter {
  readonly #request: LanguageRequest;
  #open: Open | undefined;
  #blocks = 0;
  #images = 0;
  /** What the provider needs back of the reasoning in the open block. */
  #reasoning = new WholeReasoning();
  readonly #calls = new Map<number, ToolCall>();
  #finish: FinishReason | undefined;
  #isRefusal = false;

  constructor(request: LanguageRequest) {
    this.#request = request;
  }

  write(event: DeltaEvent): StreamPart[] {
    // This language has only one answer.
    if (event.choice !== 0) return [];
    switch (event.kind) {
      case "refusal":
        this.#isRefusal = true;
        return this.#say("text", event.text);
      case "text":
        return this.#say("text", event.text);
      case "reasoning":
        return this.#think(event);
      case "reasoning_encrypted": {
        const begun = this.#begin("reasoning");
        this.#reasoning.add(event);
        return [...begun, ...this.#close()];
      }
      case "tool_call":
        return this.#call(event);
      case "image":
        return [...this.#close(), imagePart(event.url, this.#request, this.#images++)];
      case "finish":
        this.#finish = event.reason;
        return [];
      // Only those are asked for that have a place in an answer.
      case "audio":
      case "logprobs":
        return [];
    }
  }

  /** What is still open, and the calls. */
  end(): StreamPart[] {
    const calls = Array.from(this.#calls, ([index, call]) => this.#partsOf(index, call));
    this.#calls.clear();
    return [...this.#close(), ...calls.flat()];
  }

  /** Why the answer ended, by the AI SDK's name and by ours. */
  get finishReason(): unknown {
    const raw = this.#finish ?? "stop";
    const unified = this.#isRefusal ? "content-filter" : finishReasons[raw];
    return this.#request.specification === 2 ? unified : { unified, raw };
  }

  #say(kind: Open["kind"], delta: string): StreamPart[] {
    if (delta === "") return [];
    const begun = this.#begin(kind);
    return [...begun, { type: `${kind}-delta`, id: this.#id, delta }];
  }

  /** A signature is the end of a block. */
  #think(event: Extract<DeltaEvent, { kind: "reasoning" }>): StreamPart[] {
    if (event.text === "" && event.signature === undefined) return [];
    const begun = this.#begin("reasoning");
    this.#reasoning.add(event);
    const said = this.#say("reasoning", event.text);
    const ended = event.signature === undefined ? [] : this.#close();
    return [...begun, ...said, ...ended];
  }

  get #id(): string {
    return this.#open?.id ?? "";
  }

  #begin(kind: Open["kind"]): StreamPart[] {
    if (this.#open?.kind === kind) return [];
    const closed = this.#close();
    this.#open = { kind, id: String(this.#blocks++) };
    return [...closed, { type: `${kind}-start`, id: this.#id }];
  }

  #close(): StreamPart[] {
    const open = this.#open;
    if (open === undefined) return [];
    this.#open = undefined;
    const { kind, id } = open;
    const { list, isWorthKeeping } = this.#reasoning;
    this.#reasoning = new WholeReasoning();
    const end = { type: `${kind}-end`, id };
    if (kind === "text" || !isWorthKeeping) return [end];
    return [{ ...end, providerMetadata: { gateway: { reasoningDetails: list } } }];
  }

  #call(event: ToolCall): StreamPart[] {
    const known = this.#calls.get(event.index);
    const call = joinToolCall(known, event);
    this.#calls.set(event.index, call);
    const id = callId(event.index, call);
    const begins = call.name !== undefined && known?.name === undefined;
    const begun = begins
      ? [...this.#close(), { type: "tool-input-start", id, toolName: this.#nameOf(call) }]
      : [];
    // What came before the name is told with it.
    const delta = begins ? call.arguments : event.arguments;
    if (call.name === undefined || delta === "") return begun;
    return [...begun, { type: "tool-input-delta", id, delta }];
  }

  #nameOf({ name = "" }: ToolCall): string {
    return this.#request.toolNames.get(name) ?? name;
  }

  #partsOf(index: number, call: ToolCall): StreamPart[] {
    const id = callId(index, call);
    const { extra } = call;
    const input = call.arguments.trim() === "" ? "{}" : call.arguments;
    const part = { type: "tool-call", toolCallId: id, toolName: this.#nameOf(call), input };
    const kept = extra && { providerMetadata: { gateway: { callExtras: extra } } };
    const begun = call.name === undefined ? [] : [{ type: "tool-input-end", id }];
    return [...begun, { ...part, ...kept }];
  }
}

function callId(index: number, { id }: ToolCall): string {
  return id ?? `call_${index}`;
}

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
};

/** An image comes as a data URL, or at an address, which before specification 4 only a source can have. */
function imagePart(url: string, { specification }: LanguageRequest, index: number): StreamPart {
  if (!url.startsWith("data:")) {
    if (specification !== 4)
      return { type: "source", sourceType: "url", id: `image_${index}`, url };
    return { type: "file", mediaType: "image/*", data: { type: "url", url } };
  }
  const [head = "", base64 = ""] = url.split(",", 2);
  const mediaType = head.replace(/^data:|;base64$/g, "");
  const data = specification === 4 ? { type: "data", data: base64 } : base64;
  return { type: "file", mediaType, data };
}

/** The content of a whole answer: blocks joined, and nothing of how they were streamed. */
export function contentOfParts(parts: readonly StreamPart[]): JsonObject[] {
  const content: JsonObject[] = [];
  for (const { type, delta, id, ...rest } of parts) {
    const [kind = "", step] = /^(text|reasoning)-(start|delta|end)$/.exec(type)?.slice(1) ?? [];
    const last = content.at(-1);
    if (step === "start") content.push({ type: kind, text: "" });
    else if (step !== undefined && last !== undefined) {
      Object.assign(last, rest, { text: String(last.text) + String(delta ?? "") });
    } else if (type === "source") content.push({ type, id, ...rest });
    else if (!type.startsWith("tool-input-")) content.push({ type, ...rest });
  }
  return content;
}
