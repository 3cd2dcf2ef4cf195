// Which members of an upstream's object travel on as they are? Those we have no word for, unless
// null: `"error": null` and its like break typed clients.

import type { JsonObject } from "../../json-object.ts";

/** Adds to `target` every non-null member of `source` that is neither in `known` nor there yet. */
export function copyUnknown(
  target: JsonObject,
  source: JsonObject,
  known: ReadonlySet<string>,
): void {
  for (const key in source) {
    if (known.has(key) || key in target || !Object.hasOwn(source, key)) continue;
    const value = source[key];
    if (value !== null && value !== undefined) target[key] = value;
  }
}
