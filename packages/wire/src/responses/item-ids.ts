// Ids of output items, derived from the id of the response: an item has the same id in every event and in
// the final response, and no memory is needed to give it.

type ItemPrefix = "msg" | "rs" | "fc" | "ctc" | "tsc";

export const responseIdPrefix = "resp_";

/** `index` is the item's `output_index`. */
export function itemIdOf(prefix: ItemPrefix, responseId: string, index: number): string {
  const number = index.toString(16).padStart(4, "0");
  return `${prefix}_${responseId.slice(responseIdPrefix.length)}${number}`;
}
