// The items that an upstream of the same language has streamed, for an answer that is to be stored: some name none of them in their last
// event, and what is stored is that.
import { findMembers, memberText } from "../json/edit-json-object.ts";
import { parseExactObject } from "../json/exact-numbers.ts";
import { setInnerMembers } from "../json/set-members.ts";

export class OwnItems {
  /** By position in the output, as JSON texts. */
  readonly #items = new Map<number, string>();

  /** An event `response.output_item.done`. */
  add(json: string): void {
    const members = findMembers(json);
    const item = memberText(json, members, "item");
    const index = Number(memberText(json, members, "output_index"));
    if (item !== undefined) this.#items.set(index, item);
  }

  /** The event that ends the response, with the output that was streamed if it names none. */
  complete(json: string): string {
    if (this.#items.size === 0 || hasOutput(json)) return json;
    const items = [...this.#items].toSorted(([one], [other]) => one - other);
    const output = `[${items.map(([, item]) => item).join(",")}]`;
    return setInnerMembers(json, "response", { output });
  }
}

function hasOutput(json: string): boolean {
  const response = memberText(json, findMembers(json), "response") ?? "{}";
  const { output } = parseExactObject(response) ?? {};
  return Array.isArray(output) && output.length > 0;
}
