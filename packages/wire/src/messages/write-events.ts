// Typed deltas as the events of an Anthropic stream: content blocks one after the other, each begun,
// filled and ended. A whole answer consists of the same blocks.

import type { JsonObject } from "@turnpike/base";
import { ObjectEnd } from "../json/object-end.ts";
import { joinToolCall } from "../protocol/join-tool-call.ts";
import type { DeltaEvent, ToolCall } from "../protocol/pivot.ts";
import { sealReasoning } from "../responses/encrypted-reasoning.ts";
import type { MessagesRequest } from "./parse-messages-request.ts";

/** One event without its name, which is its `type`. */
export type MessagesEvent = JsonObject & { readonly type: string };

type Content = Extract<
  DeltaEvent,
  { kind: "text" | "refusal" | "reasoning" | "reasoning_encrypted" }
>;
type OpenBlock = { readonly kind: "text" | "thinking" | "tool_use"; readonly call?: number };

/** More text after incomplete arguments means that the call has ended without the rest of them. */
const heldMaxChars = 65_536;

/**
 * Feed it deltas in order. Clients put a fragment into the block that began last, so calls whose
 * fragments interleave are written one after the other: the next begins when the open one is complete
 * and its own name is known. Text and reasoning between the fragments of a call follow it.
 */
export class BlockWriter {
  /** The last finish reason that was received. */
  #finish: Finish | undefined;
  #isRefusal = false;
  #index = -1;
  #open: OpenBlock | undefined;
  readonly #hidesThinking: boolean;
  readonly #toolNames: ReadonlyMap<string, string>;
  /** The fragments of calls that have no block yet, by call, in the order the calls began. */
  readonly #waiting = new Map<number, ToolCall>();
  /** Text and reasoning that arrived while the open call was incomplete: its block would end for them. */
  #held: Content[] = [];
  #heldChars = 0;
  /** Calls whose block has ended. */
  readonly #ended = new Set<number>();
  /** Of the open call's arguments. */
  #end = new ObjectEnd();

  constructor({ omitsThinking, toolNames }: MessagesRequest) {
    this.#hidesThinking = omitsThinking === true;
    this.#toolNames = toolNames;
  }

  /** Why the answer ended, if the upstream said so. */
  get stop(): Stop {
    return stopOf(this.#finish, this.#isRefusal);
  }

  write(event: DeltaEvent): MessagesEvent[] {
    // This language has only one answer.
    if (event.choice !== 0) return [];
    switch (event.kind) {
      case "text":
      case "refusal":
        if (event.text === "") return [];
        this.#isRefusal ||= event.kind === "refusal";
        return this.#writeInTurn(event);
      case "reasoning":
      case "reasoning_encrypted":
        return this.#writeInTurn(event);
      case "tool_call":
        return this.#writeCall(event);
      case "finish":
        this.#finish = event;
        return [];
      case "audio":
      case "image":
      case "logprobs":
        return [];
    }
  }

  /** Ends the last block, after everything that waited for it. */
  end(): MessagesEvent[] {
    return [...this.#writeHeld(), ...this.#writeWaiting(true), ...this.#close()];
  }

  /** What waits for the end of a call that is not going to be completed. It has been written, and is billed. */
  breakOff(): MessagesEvent[] {
    return this.#writeHeld();
  }

  /** Content begins a block of its own, so it waits for the end of an incomplete call. */
  #writeInTurn(content: Content): MessagesEvent[] {
    if (this.#isFree) return this.#writeContent(content);
    const chars = content.kind === "reasoning_encrypted" ? content.data : content.text;
    this.#held.push(content);
    this.#heldChars += chars.length;
    if (this.#heldChars <= heldMaxChars) return [];
    return [...this.#writeHeld(), ...this.#writeWaiting(false)];
  }

  #writeHeld(): MessagesEvent[] {
    const held = this.#held;
    this.#held = [];
    this.#heldChars = 0;
    return held.flatMap((content) => this.#writeContent(content));
  }

  #writeContent(content: Content): MessagesEvent[] {
    if (content.kind === "reasoning") {
      return this.#writeReasoning(content.text, content.signature);
    }
    if (content.kind === "reasoning_encrypted") {
      return this.#writeWhole({ type: "redacted_thinking", data: encryptedData(content) });
    }
    return this.#fill({ kind: "text" }, textDelta(content.text));
  }

  #writeReasoning(text: string, signature: string | undefined): MessagesEvent[] {
    if (this.#hidesThinking && signature === undefined) return [];
    const block: OpenBlock = { kind: "thinking" };
    const shown = text !== "" && !this.#hidesThinking;
    const events = shown ? this.#fill(block, { type: "thinking_delta", thinking: text }) : [];
    if (signature === undefined) return events;
    events.push(...this.#fill(block, { type: "signature_delta", signature }), ...this.#close());
    return events;
  }

  #writeCall(event: ToolCall): MessagesEvent[] {
    const { index } = event;
    if (this.#open?.call === index) {
      const events = this.#addArguments(event.arguments);
      if (this.#held.length > 0 && this.#isFree) events.push(...this.#writeHeld());
      return [...events, ...this.#writeWaiting(false)];
    }
    // Some providers end with an empty fragment of each call.
    if (this.#ended.has(index)) return [];
    this.#waiting.set(index, joinToolCall(this.#waiting.get(index), event));
    return this.#writeWaiting(false);
  }

  /** The waiting calls, each as soon as it can begin, or all of them. */
  #writeWaiting(all: boolean): MessagesEvent[] {
    const events: MessagesEvent[] = [];
    for (const [index, call] of this.#waiting) {
      if (!all && (!this.#isFree || call.name === undefined)) break;
      this.#waiting.delete(index);
      events.push(...this.#beginCall(call), ...this.#addArguments(call.arguments));
    }
    return events;
  }

  /** Whether a call may begin: nothing can be added to an open one whose arguments are complete. */
  get #isFree(): boolean {
    return this.#open?.call === undefined || this.#end.isReached;
  }

  #beginCall({ index, id = "", name = "", extra }: ToolCall): MessagesEvent[] {
    const events = extra === undefined || id === "" ? [] : this.#writeExtra(id, extra);
    const ownName = this.#toolNames.get(name) ?? name;
    const begun = { type: "tool_use", id, name: ownName, input: {} };
    events.push(...this.#begin({ kind: "tool_use", call: index }, begun));
    this.#end = new ObjectEnd();
    return events;
  }

  #addArguments(fragment: string): MessagesEvent[] {
    if (fragment === "") return [];
    this.#end.add(fragment);
    return [this.#delta({ type: "input_json_delta", partial_json: fragment })];
  }

  /** Members of a call that its provider needs back, as a block that clients return unread. */
  #writeExtra(id: string, extra: JsonObject): MessagesEvent[] {
    const data = sealReasoning({ details: [], callExtras: new Map([[id, extra]]) });
    return this.#writeWhole({ type: "redacted_thinking", data });
  }

  #writeWhole(block: JsonObject): MessagesEvent[] {
    const events = this.#begin({ kind: "text" }, block);
    return [...events, ...this.#close()];
  }

  #fill(block: OpenBlock, delta: JsonObject): MessagesEvent[] {
    const events =
      this.#open?.kind === block.kind ? [] : this.#begin(block, emptyBlock(block.kind));
    events.push(this.#delta(delta));
    return events;
  }

  #begin(block: OpenBlock, content: JsonObject): MessagesEvent[] {
    const events = this.#close();
    this.#index += 1;
    this.#open = block;
    events.push({ type: "content_block_start", index: this.#index, content_block: content });
    return events;
  }

  #delta(delta: JsonObject): MessagesEvent {
    return { type: "content_block_delta", index: this.#index, delta };
  }

  #close(): MessagesEvent[] {
    if (this.#open === undefined) return [];
    if (this.#open.call !== undefined) this.#ended.add(this.#open.call);
    this.#open = undefined;
    return [{ type: "content_block_stop", index: this.#index }];
  }
}

/** A block has no member for what some providers need back besides the data, so it is encoded with it. */
function encryptedData(event: Extract<DeltaEvent, { kind: "reasoning_encrypted" }>): string {
  const { data, id, format } = event;
  if (id === undefined && format === undefined) return data;
  const detail: JsonObject = { type: "reasoning.encrypted", data };
  if (id !== undefined) detail.id = id;
  if (format !== undefined) detail.format = format;
  return sealReasoning({ details: [detail], callExtras: new Map() });
}

function textDelta(text: string): JsonObject {
  return { type: "text_delta", text };
}

function emptyBlock(kind: OpenBlock["kind"]): JsonObject {
  if (kind === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { type: "text", text: "" };
}

type Finish = Extract<DeltaEvent, { kind: "finish" }>;

type Stop = {
  readonly stop_reason: string;
  /** The caller's own sequence that was met, if the upstream says which. */
  readonly stop_sequence: string | null;
};

/** Why an answer ended, in Anthropic's terms. One without a reason has ended its turn. `isRefusal`: the model sent it as a refusal. */
function stopOf(finish: Finish | undefined, isRefusal: boolean): Stop {
  const stopSequence = finish?.stopSequence ?? null;
  if (stopSequence !== null) return { stop_reason: "stop_sequence", stop_sequence: stopSequence };
  const word = wordOf(finish);
  // OpenAI ends a refusal with `stop`; Claude's clients look for the reason.
  const reason = isRefusal && word === "end_turn" ? "refusal" : word;
  return { stop_reason: reason, stop_sequence: null };
}

function wordOf(finish: Finish | undefined): string {
  switch (finish?.reason) {
    case "length":
      return "max_tokens";
    case "tool_calls":
    case "function_call":
      return "tool_use";
    case "content_filter":
      return "refusal";
    default:
      return "end_turn";
  }
}
