// Refuses nested objects with the same key twice: the last of them is what is checked and counted here, and an
// upstream could read the first. At the top level all but the last are removed before a body is sent.
import { Fault } from "@turnpike/base";
import { endOfString } from "./edit-json-object.ts";

/** How many keys a parsed body has at any depth. Fewer than its text has, if one was repeated. */
export function countKeys(value: object): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const item: unknown = value[index];
      if (typeof item === "object" && item !== null) count += countKeys(item);
    }
    return count;
  }
  for (const key in value) {
    count += 1;
    const member: unknown = Reflect.get(value, key);
    if (typeof member === "object" && member !== null) count += countKeys(member);
  }
  return count;
}

/** Throws the Fault that names the first repeated key of a nested object in `raw`, which is valid JSON. */
export function assertUniqueKeys(raw: string): void {
  const open: Set<string>[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw[at];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    if (character !== '"') continue;
    const start = at;
    at = endOfString(raw, at);
    const keys = open.at(-1);
    if (keys === undefined || open.length === 1 || !isKey(raw, at)) continue;
    const key = String(JSON.parse(raw.slice(start, at + 1)));
    if (keys.has(key)) throw repeated(key);
    keys.add(key);
  }
}

/** Whether a colon follows the string that ends at `close`. */
function isKey(raw: string, close: number): boolean {
  let at = close + 1;
  while (/\s/.test(raw[at] ?? "")) at += 1;
  return raw[at] === ":";
}

function repeated(key: string): Fault {
  const sentence = `Invalid request body: an object in it has the key '${key.slice(0, 64)}' twice.`;
  return new Fault("invalid_json", sentence);
}
