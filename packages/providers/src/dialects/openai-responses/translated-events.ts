// Events of a response as typed deltas, for callers of another language. What an upstream omits from its
// deltas is taken from the event that ends the item.
import { type Fault, isObject, type JsonObject, parseText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import { brokenOff } from "../../refusals/refuse.ts";
import type { ChatCall } from "../openai/build-request.ts";
import { countDelta } from "../openai/count-tokens.ts";
import { RetainedBound } from "../retained-bound.ts";
import { textOfDeltas } from "../written-text.ts";
import { nameAsChat } from "./name-as-chat.ts";
import { parseFinish } from "./parse-response.ts";
import type { EventReader, ResponseEvent } from "./response-event-stream.ts";
import { ResponseItems } from "./response-items.ts";

const itemEvents = new Set(["response.output_item.added", "response.output_item.done"]);
const deltaEvents = new Set([
  "response.output_text.delta",
  "response.refusal.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
]);

export class TranslatedEvents implements EventReader {
  readonly #call: ChatCall;
  readonly #retained = new RetainedBound();
  readonly #items: ResponseItems;

  constructor(call: ChatCall) {
    this.#call = call;
    this.#items = new ResponseItems(call, this.#retained);
  }

  read(name: string, source: JsonObject, _: string, events: StreamEvent[]): void {
    this.#say(this.#readDeltas(name, source), events);
  }

  readEnd(_: ResponseEvent, response: JsonObject, events: StreamEvent[]): void {
    const rest = this.#items.endAll(Array.isArray(response.output) ? response.output : []);
    const { reason, native } = parseFinish(response);
    const called = this.#items.callCount > 0 && reason === "stop";
    const word = called ? "tool_calls" : reason;
    this.#say([...rest, { kind: "finish", choice: 0, reason: word }], events);
    events.push({ kind: "finish", reason: word, native });
  }

  explain(fault: Fault): Fault {
    return nameAsChat(fault);
  }

  #readDeltas(name: string, source: JsonObject): DeltaEvent[] {
    const { output_index: index, item, delta } = source;
    const isDelta = deltaEvents.has(name) && parseText(delta) !== undefined;
    if (!isDelta && !itemEvents.has(name)) return [];
    // Without its position it is unknown which item an event belongs to.
    if (!Number.isSafeInteger(index)) throw brokenOff();
    const place = Number(index);
    if (isDelta) return this.#readDelta(name, place, String(delta), source);
    if (!isObject(item)) throw brokenOff();
    return name.endsWith("added") ? this.#items.begin(place, item) : this.#items.end(place, item);
  }

  #readDelta(name: string, place: number, text: string, source: JsonObject): DeltaEvent[] {
    switch (name) {
      case "response.output_text.delta":
        return this.#items.addText(place, text, source.logprobs);
      case "response.refusal.delta":
        return this.#items.addRefusal(place, text);
      case "response.reasoning_summary_text.delta":
        return this.#items.addReasoning(place, text, "summary", source.summary_index);
      case "response.reasoning_text.delta":
        return this.#items.addReasoning(place, text, "content", source.content_index);
      default:
        return this.#items.addArguments(place, text);
    }
  }

  #say(deltas: readonly DeltaEvent[], events: StreamEvent[]): void {
    if (deltas.length === 0) return;
    const tokens = countDelta(textOfDeltas(deltas), this.#call.provider.quirks.tokensPerDelta);
    this.#retained.addDeltas(deltas, tokens);
    events.push({ kind: "deltas", deltas, tokens });
  }
}
