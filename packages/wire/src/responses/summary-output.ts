// The output of a request for a compaction: exactly one item, with what the model wrote, sealed. Until it is
// complete there is nothing to show.
import { Fault, type JsonObject } from "@turnpike/base";
import type { DeltaEvent, FinishReason } from "../protocol/pivot.ts";
import { itemAdded, itemDone, itemIdOf, type OutputEvent } from "./output-events.ts";

export class SummaryOutput {
  readonly #responseId: string;
  readonly #seal: (summary: string) => string;
  #summary = "";
  #items: JsonObject[] = [];
  #finish: FinishReason | undefined;

  constructor(responseId: string, seal: (summary: string) => string) {
    this.#responseId = responseId;
    this.#seal = seal;
  }

  get finish(): FinishReason | undefined {
    return this.#finish;
  }

  get items(): JsonObject[] {
    return this.#items;
  }

  /** Why an answer that its upstream completed is of no use to the caller. */
  get fault(): Fault | undefined {
    if (this.#items.length > 0) return undefined;
    return new Fault(
      "bad_gateway",
      "The model wrote no summary of the conversation. Send the request again, or with another model.",
    );
  }

  add(deltas: readonly DeltaEvent[]): OutputEvent[] {
    for (const delta of deltas) {
      if (delta.choice !== 0) continue;
      if (delta.kind === "text") this.#summary += delta.text;
      else if (delta.kind === "finish") this.#finish = delta.reason;
    }
    return [];
  }

  end(): OutputEvent[] {
    if (this.#items.length > 0 || this.#summary.trim() === "") return [];
    const place = { output_index: 0, item_id: itemIdOf("cmp", this.#responseId, 0) };
    const sealed = this.#seal(this.#summary);
    const item = { id: place.item_id, type: "compaction", encrypted_content: sealed };
    this.#items = [item];
    return [itemAdded(place, item), itemDone(place, item)];
  }
}
