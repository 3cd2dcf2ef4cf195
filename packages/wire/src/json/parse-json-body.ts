// Reads the text of a request body as one JSON object, and refuses what an upstream could read
// differently from us: fields spelled in another case, and text that UTF-8 cannot represent.
import { Fault, isObject, type JsonObject } from "@turnpike/base";
import { badValue, brokenJson } from "../checks/body-fault.ts";
import { assertUniqueKeys, countKeys } from "./assert-unique-keys.ts";
import { type JsonBounds, type JsonMembers, scanJson } from "./edit-json-object.ts";

export type JsonBody = {
  readonly members: JsonMembers;
  readonly parsed: JsonObject;
  /** At most what `parsed` takes in memory besides its texts. */
  readonly structureBytes: number;
};

/** Throws `invalid_json`, or `invalid_type` for JSON of another kind. */
export function parseJsonBody(raw: string, bounds?: JsonBounds): JsonBody {
  const { members, keys, structureBytes } = scanJson(raw, bounds);
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw brokenJson();
  }
  if (isObject(value)) {
    if (countKeys(value) !== keys) assertUniqueKeys(raw);
    return { members, parsed: value, structureBytes };
  }
  throw new Fault("invalid_type", "Invalid request body: expected one JSON object.");
}

const isFolded = /^[a-z0-9_]*$/;

/** Upper case first: it also folds the long s and the Kelvin sign. */
export function foldCase(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/**
 * The only kind of unknown field that is refused: a known one in another case, which an upstream might
 * obey although it was not read here. `fieldLike` names the field that a key could be mistaken for.
 */
export function assertNoLookalikes(
  members: JsonMembers,
  fieldLike: (key: string) => string | undefined,
): void {
  for (const { key } of members) {
    // A key of lower-case letters needs no folding.
    if (isFolded.test(key)) continue;
    const meant = fieldLike(key);
    if (meant === undefined) continue;
    const sentence = `Unknown parameter: '${key}'. Did you mean '${meant}'?`;
    throw new Fault("unknown_parameter", sentence, { param: key });
  }
}

const suspiciousEscape = /\\u(?:d[89a-f]|0000)/i;

/** NUL and lone surrogates: JSON can contain them, UTF-8 or a database cannot. Throws Fault. */
export function assertStorableText(raw: string, body: JsonObject): void {
  if (!raw.isWellFormed()) throw brokenJson();
  if (!raw.includes("\\u") || !suspiciousEscape.test(raw)) return;
  const path = findBrokenText(body, "");
  if (path === undefined) return;
  throw badValue(path, "the text contains a NUL character or half of a surrogate pair.");
}

function findBrokenText(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return isBroken(value) ? path : undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = findBrokenText(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (isBroken(key)) return path;
      const found = findBrokenText(field, path === "" ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isBroken(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}
