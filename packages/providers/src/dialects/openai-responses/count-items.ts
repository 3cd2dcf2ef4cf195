// Counts what a response's events show of its items, each text once: first in fragments, then in the event that ends
// a part, then in the one that ends the item, of which an upstream may leave out any.
import { isObject, type JsonObject } from "@turnpike/base";
import { countDelta } from "../openai/count-tokens.ts";
import type { OpenaiQuirks } from "../openai/quirks.ts";
import { writtenText } from "../written-text.ts";

/** Events that show a text as far as it is known; others show only what is new. */
const wholes = /\.(?:added|done|completed)$/;

export class ItemCounter {
  readonly #tokensPerDelta: OpenaiQuirks["tokensPerDelta"];
  /** The characters counted of each item and of its parts, by their place. */
  readonly #chars = new Map<string, number>();

  constructor(tokensPerDelta: OpenaiQuirks["tokensPerDelta"]) {
    this.#tokensPerDelta = tokensPerDelta;
  }

  /** The tokens that an event adds to what was counted. */
  count(name: string, source: JsonObject): number {
    const { output_index: index, item, ...others } = source;
    const itemKey = `${index}`;
    if (isObject(item)) return this.#countRest(itemKey, itemKey, writtenText(item));
    const { content_index: content, summary_index: summary } = others;
    const partKey = `${index}/${content}/${summary}`;
    if (name.endsWith("_arguments.done")) {
      // Its function's name is the item's, which counts it.
      const { name: _, ...whole } = others;
      return this.#countRest(partKey, itemKey, writtenText(whole));
    }
    if (wholes.test(name)) return this.#countRest(partKey, itemKey, writtenText(others));
    const text = writtenText(others);
    this.#add(partKey, itemKey, text.length);
    return countDelta(text, this.#tokensPerDelta);
  }

  /** What of a whole text was not counted yet. */
  #countRest(key: string, itemKey: string, text: string): number {
    const rest = text.slice(this.#chars.get(key) ?? 0);
    this.#add(key, itemKey, rest.length);
    return countDelta(rest, this.#tokensPerDelta);
  }

  #add(key: string, itemKey: string, chars: number): void {
    if (chars === 0) return;
    this.#chars.set(key, (this.#chars.get(key) ?? 0) + chars);
    if (key !== itemKey) this.#chars.set(itemKey, (this.#chars.get(itemKey) ?? 0) + chars);
  }
}
