// Events of a response for a caller of the same language: they pass byte for byte, apart from the response
// itself. An order that clients could not follow is repaired if the upstream's own events say how, and
// otherwise ends the stream as broken.
import { type Fault, isObject, type JsonObject, parseText } from "@turnpike/base";
import { setInnerMembers, setMembers } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import { eventName } from "../anthropic/block-order.ts";
import type { ResponseCall } from "./build-responses-request.ts";
import { ItemCounter } from "./count-items.ts";
import { ownMemberTexts } from "./parse-response.ts";
import type { EventReader, ResponseEvent } from "./response-event-stream.ts";

/** More items than any answer has; each is remembered until the stream ends. */
const maxItems = 10_000;

export class OwnEvents implements EventReader {
  readonly #call: ResponseCall;
  readonly #counter: ItemCounter;
  #sequence = 0;
  /** By its position in the output: whether an item is still being written. */
  readonly #open = new Map<number, boolean>();

  constructor(call: ResponseCall) {
    this.#call = call;
    this.#counter = new ItemCounter(call.provider.quirks.tokensPerDelta);
  }

  read(name: string, source: JsonObject, payload: string, events: StreamEvent[]): void {
    this.#checkOrder(name, source);
    if (isObject(source.response)) {
      events.push(this.#present(name, source, payload));
      return;
    }
    const tokens = this.#counter.count(name, source);
    events.push(this.#chunk(name, this.#number(source, payload), tokens));
  }

  readEnd(event: ResponseEvent, response: JsonObject, events: StreamEvent[]): void {
    const { name, source, payload } = event;
    this.#checkOrder(name, source);
    const items: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
    for (const [index, isOpen] of this.#open) {
      if (isOpen) events.push(this.#endItem(index, items[index]));
    }
    events.push(this.#present(name, source, payload));
  }

  explain(fault: Fault): Fault {
    return fault;
  }

  #checkOrder(name: string, { output_index: index, item }: JsonObject): void {
    if ((this.#sequence === 0) !== (name === "response.created")) throw brokenOff();
    if (!eventName.test(name)) throw brokenOff();
    if (name === "response.output_item.added") this.#begin(index, item);
    else if (typeof index !== "number") {
      if (index !== undefined || itemEvents.test(name)) throw brokenOff();
    } else if (this.#open.get(index) !== true) throw brokenOff();
    else if (name === "response.output_item.done") this.#open.set(index, false);
  }

  #begin(index: unknown, item: unknown): void {
    if (index !== this.#open.size || !isItem(item) || index >= maxItems) throw brokenOff();
    this.#open.set(index, true);
  }

  /** The end of an item that the upstream omitted, as its last event shows it. */
  #endItem(index: number, item: unknown): StreamEvent {
    if (!isObject(item)) throw brokenOff();
    const type = "response.output_item.done";
    const source = { type, sequence_number: this.#sequence, output_index: index, item };
    return this.#chunk(type, JSON.stringify(source), this.#counter.count(type, source));
  }

  #present(name: string, source: JsonObject, payload: string): StreamEvent {
    const line = payload.includes("\n") ? JSON.stringify(source) : payload;
    const numbered = setMembers(line, { sequence_number: String(this.#sequence) });
    const response = isObject(source.response) ? source.response : {};
    const own = ownMemberTexts(this.#call, response);
    return this.#chunk(name, setInnerMembers(numbered, "response", own));
  }

  /** On one line: a payload of several lines would be several lines of one event. */
  #number(source: JsonObject, payload: string): string {
    const line = payload.includes("\n") ? JSON.stringify(source) : payload;
    if (source.sequence_number === this.#sequence) return line;
    return setMembers(line, { sequence_number: String(this.#sequence) });
  }

  #chunk(name: string, json: string, tokens = 0): StreamEvent {
    this.#sequence += 1;
    return { kind: "chunk", json, name, tokens };
  }
}

function isItem(item: unknown): boolean {
  return isObject(item) && parseText(item.type) !== undefined;
}

/** Events that belong to an item of the output. */
const itemEvents =
  /^response\.(?:output_item|content_part|output_text|refusal|function_call_arguments|custom_tool_call_input|reasoning)/;
