// A streamed Anthropic message. The last two events wait for the bill: `message_delta` contains the usage,
// and `message_stop` is the end.
import { type Fault, parseObject } from "@turnpike/base";
import { nameForCaller } from "../caller/name-for-caller.ts";
import type { AnswerIdentity, Bill, DeltaEvent } from "../protocol/pivot.ts";
import type { PromptSize, StreamWriter } from "../protocol/protocol.ts";
import { sseEvent } from "../protocol/sse.ts";
import { anthropicErrorEvent } from "./anthropic-errors.ts";
import type { MessagesRequest } from "./parse-messages-request.ts";
import { translatedUsage, unknownUsage } from "./present-usage.ts";
import { BlockWriter, type MessagesEvent } from "./write-events.ts";
import { newMessage, withBilledUsage } from "./write-message.ts";

export const messagesKeepAlive = sseEvent("ping", '{"type": "ping"}');
const messageStop = sseEvent("message_stop", '{"type":"message_stop"}');

export class MessagesStreamWriter implements StreamWriter {
  readonly #request: MessagesRequest;
  readonly #identity: AnswerIdentity;
  readonly #prompt: PromptSize | undefined;
  readonly #blocks: BlockWriter;
  #started = false;
  /** The upstream's own last `message_delta`, held back until the bill is known. */
  #heldDelta: string | undefined;

  constructor(request: MessagesRequest, identity: AnswerIdentity, prompt?: PromptSize) {
    this.#request = request;
    this.#identity = identity;
    this.#prompt = prompt;
    this.#blocks = new BlockWriter(request);
  }

  writeOwn(json: string, name: string | undefined): string {
    if (name !== "message_delta") return sseEvent(name ?? "message", json);
    const held = this.#heldDelta;
    this.#heldDelta = json;
    return held === undefined ? "" : sseEvent("message_delta", held);
  }

  writeDeltas(deltas: readonly DeltaEvent[]): string {
    let text = this.#start();
    for (const delta of deltas) text += frame(this.#blocks.write(delta));
    return text;
  }

  writeEnd(bill: Bill | undefined): string {
    const held = this.#heldDelta;
    if (held !== undefined) {
      return (
        sseEvent("message_delta", bill === undefined ? held : withBill(held, bill)) + messageStop
      );
    }
    const delta = { ...this.#blocks.stop, stop_details: null, container: null };
    const usage = bill === undefined ? unknownUsage : translatedUsage(bill);
    const last = JSON.stringify({ type: "message_delta", delta, usage });
    const before = this.#start() + frame(this.#blocks.end());
    return before + sseEvent("message_delta", last) + messageStop;
  }

  writeFault(fault: Fault, requestId: string): string {
    const held = frame(this.#blocks.breakOff());
    return held + anthropicErrorEvent(nameForCaller(fault, this.#request), requestId);
  }

  #start(): string {
    if (this.#started) return "";
    this.#started = true;
    const usage = { ...unknownUsage, input_tokens: this.#prompt?.tokens ?? 0 };
    const message = { ...newMessage(this.#identity), usage };
    return sseEvent("message_start", JSON.stringify({ type: "message_start", message }));
  }
}

function frame(events: readonly MessagesEvent[]): string {
  let text = "";
  for (const event of events) text += sseEvent(event.type, JSON.stringify(event));
  return text;
}

function withBill(json: string, bill: Bill): string {
  return withBilledUsage(json, parseObject(json)?.usage, bill);
}
