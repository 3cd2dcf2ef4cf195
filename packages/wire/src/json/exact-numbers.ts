// Numbers inside the tool inputs and schemas of a translated request or answer: a JSON number may have more
// digits than a double, and is written with all of them.
import { isObject, type JsonObject } from "@turnpike/base";

/**
 * A number that may not survive: 16 digits in total, before and after its point, or an exponent of
 * three. A double keeps every number of 15 digits. Also matches inside texts.
 */
const longNumber = /(?:\d\.?){16}|\d[eE][+-]?\d{3}/;

/**
 * Like `JSON.parse`, but numbers that a double cannot hold become values that only `JSON.stringify` reads,
 * spelled as they were. For values that are passed on and not calculated with.
 */
export function parseExactly(text: string): unknown {
  return longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** The object in `text`, exactly; undefined when it is broken JSON or another kind of value. */
export function parseExactObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactly(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The named members of the object with the text `text` and the value `parsed`, with exact numbers; the
 * others, which are checked and calculated with, are those of `parsed`.
 */
export function withExactMembers(
  text: string,
  parsed: JsonObject,
  names: readonly string[],
): JsonObject {
  if (!longNumber.test(text)) return parsed;
  const exact = parseExactObject(text) ?? {};
  const joined = { ...parsed };
  for (const name of names) if (exact[name] !== undefined) joined[name] = exact[name];
  return joined;
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || String(value) === source) return value;
  return rawJson(source);
}

/** https://tc39.es/proposal-json-parse-with-source, which TypeScript does not have yet. */
function rawJson(source: string): unknown {
  const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown };
  return rawJSON(source);
}
