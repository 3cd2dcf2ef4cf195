// References to items of earlier answers, which the input of a request may have instead of the items
// themselves. They are replaced before anything else reads the request, so that every route can answer it and
// what they stand for is counted like any other text.
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import { agentBounds } from "../json/edit-json-object.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { replaceInside } from "../json/replace-inside.ts";

/** More than half an hour of an agent that refers to each of its steps; bounds the work of reading them. */
const referencesMax = 2_000;

/** The type of a reference is optional, and may be null. */
const onlyId = /\{\s*"id"\s*:\s*"[^"\\]*"\s*\}|"type"\s*:\s*null/;

/** Whether an item of `input` is a reference to another. */
export function isReference({ type, role, id }: JsonObject): boolean {
  if (type === "item_reference") return true;
  return (type ?? null) === null && role === undefined && typeof id === "string";
}

/** A reference to reasoning; models can do without it. */
export function isReasoningReference(item: unknown): boolean {
  if (!isObject(item) || typeof item.id !== "string") return false;
  return isReference(item) && item.id.startsWith("rs_");
}

/** OpenAI's refusal of an item that it does not have. */
export function unknownItem(id: string): Fault {
  const quoted = id.slice(0, 100);
  return new Fault(
    "not_found",
    `Item with id '${quoted}' not found. Items of answers can be referred to for 24 hours, by the API key that received them, unless the request had 'store: false'. Send the item itself; SDKs do so with 'store: false'.`,
    { param: "input", quoted },
  );
}

export type ItemReferences = {
  readonly ids: ReadonlySet<string>;
  /**
   * The request with the items instead; undefined if it would have more than `maxBytes`. Throws the Fault of an
   * item that is needed and missing.
   */
  readonly resolve: (items: ReadonlyMap<string, string>, maxBytes: number) => string | undefined;
};

type Reference = { readonly index: number; readonly id: string };

/** Undefined if it has none. Throws the Fault of a body that is not JSON, or that has too many. */
export function findReferences(raw: string): ItemReferences | undefined {
  if (!mayRefer(raw)) return undefined;
  const { parsed } = parseJsonBody(raw, agentBounds);
  const references = referencesIn(parsed.input);
  if (references.length === 0) return undefined;
  const ids = new Set(references.map(({ id }) => id));
  if (ids.size > referencesMax) throw tooManyReferences(ids.size);
  return {
    ids,
    resolve(items, maxBytes) {
      for (const { id } of references) {
        // Unknown reasoning is omitted with the other fields that have no effect.
        if (!items.has(id) && !id.startsWith("rs_")) throw unknownItem(id);
      }
      if (resolvedBytes(raw, references, items) > maxBytes) return undefined;
      const known = references.flatMap(({ index, id }) => {
        const json = items.get(id);
        return json === undefined ? [] : [{ place: ["input", index], json }];
      });
      return replaceInside(raw, known);
    },
  };
}

/** Most requests do not, and are not parsed for it. */
function mayRefer(raw: string): boolean {
  return raw.includes('"item_reference"') || (raw.includes('"id"') && onlyId.test(raw));
}

function referencesIn(input: unknown): readonly Reference[] {
  if (!Array.isArray(input)) return [];
  return input.flatMap((item: unknown, index) =>
    isObject(item) && isReference(item) && typeof item.id === "string"
      ? [{ index, id: item.id }]
      : [],
  );
}

/** Counted before anything is joined: one large item may be referred to thousands of times. */
function resolvedBytes(
  raw: string,
  references: readonly Reference[],
  items: ReadonlyMap<string, string>,
): number {
  const bytesOf = new Map([...items].map(([id, item]) => [id, Buffer.byteLength(item)]));
  return references.reduce((sum, { id }) => sum + (bytesOf.get(id) ?? 0), Buffer.byteLength(raw));
}

function tooManyReferences(found: number): Fault {
  const most = referencesMax.toLocaleString("en");
  return new Fault(
    "array_above_max_length",
    `Invalid 'input': it refers to ${found.toLocaleString("en")} items by id, but at most ${most} are looked up for one request. Send the items themselves; SDKs do so with 'store: false'.`,
    { param: "input" },
  );
}
