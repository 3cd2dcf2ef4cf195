// What the parts of an answer under construction share: events without their sequence number, the position
// of an item in the output, and how an answer may end.
import type { JsonObject } from "@turnpike/base";

/** One event of a stream, without its `sequence_number`, which is added when it is framed. */
export type OutputEvent = { readonly type: string } & JsonObject;

/** The position of an item in the output, and its id. */
export type Place = { readonly output_index: number; readonly item_id: string };

type ItemPrefix = "msg" | "rs" | "fc" | "ctc" | "tsc" | "cmp" | "ig";

const responseIdPrefix = "resp_";

/**
 * The id of an output item, derived from the id of the response: it is the same in every event and in
 * the final response. `index` is the item's `output_index`.
 */
export function itemIdOf(prefix: ItemPrefix, responseId: string, index: number): string {
  const number = index.toString(16).padStart(4, "0");
  return `${prefix}_${responseId.slice(responseIdPrefix.length)}${number}`;
}

export type ItemStatus = "completed" | "incomplete";

/** An output item being written: it is added once, grows, and is done once. */
export type OpenItem = {
  /** The current state of the item. */
  readonly item: JsonObject;
  /** The events that end it. */
  close(status: ItemStatus): OutputEvent[];
};

export function itemAdded(place: Place, item: JsonObject): OutputEvent {
  return {
    type: "response.output_item.added",
    output_index: place.output_index,
    item: { ...item },
  };
}

export function itemDone(place: Place, item: JsonObject): OutputEvent {
  return { type: "response.output_item.done", output_index: place.output_index, item: { ...item } };
}
