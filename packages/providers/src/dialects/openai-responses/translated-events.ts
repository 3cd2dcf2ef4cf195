// Events of a response as typed deltas, for callers of another language. What an upstream leaves out of its
// deltas is taken from the event that ends the item.
import { type Fault, isObject, type JsonObject, readText } from "@turnpike/base";
import type { DeltaEvent } from "@turnpike/wire";
import type { StreamEvent } from "../../provider.ts";
import type { ChatCall } from "../openai/ask.ts";
import { countDelta } from "../openai/count-tokens.ts";
import { RetainedBound } from "../retained-bound.ts";
import { nameAsChat } from "./name-as-chat.ts";
import { textOfDeltas } from "./read-items.ts";
import { readFinish } from "./read-response.ts";
import { brokenOff, type EventReader, type ResponseEvent } from "./response-event-stream.ts";
import { ResponseItems } from "./response-items.ts";

export class TranslatedEvents implements EventReader {
  readonly #call: ChatCall;
  readonly #retained = new RetainedBound();
  readonly #items: ResponseItems;

  constructor(call: ChatCall) {
    this.#call = call;
    this.#items = new ResponseItems(call, this.#retained);
  }

  read({ name, source }: ResponseEvent): StreamEvent[] {
    return this.#say(this.#readDeltas(name, source));
  }

  readEnd(_: ResponseEvent, response: JsonObject): StreamEvent[] {
    const rest = this.#items.endAll(Array.isArray(response.output) ? response.output : []);
    const { reason, native } = readFinish(response);
    const called = this.#items.callCount > 0 && reason === "stop";
    const word = called ? "tool_calls" : reason;
    return [
      ...this.#say([...rest, { kind: "finish", choice: 0, reason: word }]),
      { kind: "finish", reason: word, native },
    ];
  }

  explain(fault: Fault): Fault {
    return nameAsChat(fault);
  }

  #readDeltas(name: string, source: JsonObject): DeltaEvent[] {
    const { output_index: index, item, delta } = source;
    if (name === "response.output_item.added" || name === "response.output_item.done") {
      if (!isObject(item)) throw brokenOff();
      return name.endsWith("added") ? this.#items.begin(index, item) : this.#items.end(index, item);
    }
    const text = readText(delta);
    if (text === undefined) return [];
    switch (name) {
      case "response.output_text.delta":
        return this.#items.addText(index, text, source.logprobs);
      case "response.refusal.delta":
        return this.#items.addRefusal(index, text);
      case "response.reasoning_summary_text.delta":
        return this.#items.addReasoning(index, text, "summary", source.summary_index);
      case "response.reasoning_text.delta":
        return this.#items.addReasoning(index, text, "content", source.content_index);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#items.addArguments(index, text);
      default:
        return [];
    }
  }

  #say(deltas: readonly DeltaEvent[]): StreamEvent[] {
    if (deltas.length === 0) return [];
    const tokens = countDelta(textOfDeltas(deltas), this.#call.provider.quirks.tokensPerDelta);
    this.#retained.addDeltas(deltas, tokens);
    return [{ kind: "deltas", deltas, tokens }];
  }
}
