// What in a request changes what the upstream does or charges beyond tokens at list price: fields, and members of its
// messages and tools. A model without a price for them must refuse them, or the bill would be wrong.
import { isObject, type JsonObject } from "@turnpike/base";
import { columnOf } from "../fields/field-table.ts";

const tests = columnOf(({ price }) => price);

/**
 * A part of a request that changes its price. The kind decides which price it needs, never the text
 * of a path.
 */
export type PriceChange =
  /** A field by its own name, or `input_audio` for every part that refers to audio. */
  | { readonly kind: "field"; readonly name: string }
  /** The mark of a cache entry that lives for an hour, by its path. */
  | { readonly kind: "long_cache"; readonly name: string }
  /** A member of `messages` or `tools` by its path: there is no price for any. */
  | { readonly kind: "member"; readonly name: string };

/** Everything in a checked request that changes its price. */
export function priceChangingFields(body: JsonObject, audioCount: number): readonly PriceChange[] {
  const changes: PriceChange[] = [];
  for (const name in body) {
    const value = body[name];
    if (value !== null && tests.get(name)?.(value)) changes.push({ kind: "field", name });
  }
  if (audioCount > 0) changes.push({ kind: "field", name: "input_audio" });
  addPricedMembers(body, changes);
  return changes;
}

/** What a caller makes of an image, or its size: more tokens than the catalog says (Qwen-VL, SGLang). */
const sizeMembers = [
  "min_pixels",
  "max_pixels",
  "resized_width",
  "resized_height",
  "max_dynamic_patch",
  "min_dynamic_patch",
  "fps",
  "nframes",
  "modalities",
] as const;

const pricedLists = ["messages", "tools"] as const;

function addPricedMembers(body: JsonObject, changes: PriceChange[]): void {
  addLongCache(body, "", changes);
  for (const list of pricedLists) {
    const entries = body[list];
    if (!Array.isArray(entries)) continue;
    for (let index = 0; index < entries.length; index += 1) {
      const entry: unknown = entries[index];
      if (isObject(entry) && mayBePriced(entry)) {
        addFromEntry(entry, `${list}[${index}].`, changes);
      }
    }
  }
}

/** `prefix` is the path of the entry with its dot. */
function addFromEntry(entry: JsonObject, prefix: string, changes: PriceChange[]): void {
  addLongCache(entry, prefix, changes);
  if (isObject(entry.function)) addLongCache(entry.function, `${prefix}function.`, changes);
  const calls: unknown = entry.tool_calls;
  for (let index = 0; Array.isArray(calls) && index < calls.length; index += 1) {
    const call: unknown = calls[index];
    if (isObject(call)) addLongCache(call, `${prefix}tool_calls[${index}].`, changes);
  }
  if (!Array.isArray(entry.content)) return;
  for (let index = 0; index < entry.content.length; index += 1) {
    const part: unknown = entry.content[index];
    if (isObject(part)) addFromPart(part, `${prefix}content[${index}].`, changes);
  }
}

/** Whether an entry has anything that may change the price: most have a role and a text. */
function mayBePriced(entry: JsonObject): boolean {
  const { content, cache_control: mark, function: called, tool_calls: calls } = entry;
  return (
    Array.isArray(content) || mark !== undefined || called !== undefined || calls !== undefined
  );
}

function addFromPart(part: JsonObject, prefix: string, changes: PriceChange[]): void {
  // Priced by its seconds, which cannot be measured here.
  if (part.type === "video_url") changes.push({ kind: "member", name: `${prefix}video_url` });
  addLongCache(part, prefix, changes);
  if (part.type !== "image_url") return;
  for (const name of sizeMembers) {
    if (part[name] !== undefined) changes.push({ kind: "member", name: `${prefix}${name}` });
    if (isObject(part.image_url) && part.image_url[name] !== undefined) {
      changes.push({ kind: "member", name: `${prefix}image_url.${name}` });
    }
  }
}

function addLongCache(holder: JsonObject, prefix: string, changes: PriceChange[]): void {
  if (!marksLongCache(holder)) return;
  changes.push({ kind: "long_cache", name: `${prefix}cache_control.ttl` });
}

/** Anthropic: a cache entry that lives for an hour costs more to write than one of five minutes. */
function marksLongCache({ cache_control: control }: JsonObject): boolean {
  return isObject(control) && control.ttl !== undefined && control.ttl !== "5m";
}
