// Where the elements of a JSON array are in its text, so that some can be replaced and the others keep their
// bytes.
import { endOfString } from "./edit-json-object.ts";

/** UTF-16 indexes into the text of the array; `end` is one past the last character. */
export type JsonSpan = { readonly start: number; readonly end: number };

/** `json` is the text of an array that has elements and that `JSON.parse` accepts. */
export function findElements(json: string): readonly JsonSpan[] {
  const spans: JsonSpan[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (character === "," && depth === 1) {
      spans.push({ start, end: at });
      start = at + 1;
    } else if (character === "]" || character === "}") {
      if (depth === 1) spans.push({ start, end: at });
      depth -= 1;
    }
  }
  return spans;
}
