// Finds ids of uploaded files in a conversation. A provider would read such a file with the key of the operator,
// whoever uploaded it.
import { isObject, type JsonObject } from "@turnpike/base";

/** Members in which parts and blocks contain further ones; inputs of tools are the caller's own data. */
const holders = ["content", "source", "file", "image_url", "input_audio"];

/** The path of the first one in `messages` or `system` of a body with the text `raw`. */
export function findFileReference(raw: string, body: JsonObject): string | undefined {
  // A key may be written with escapes.
  if (!raw.includes("file_id") && !raw.includes("\\u")) return undefined;
  return findIn(body.messages, "messages") ?? findIn(body.system, "system");
}

function findIn(value: unknown, path: string): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findIn(value[index], `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if ((value.file_id ?? null) !== null) return `${path}.file_id`;
  for (const name of holders) {
    const found = findIn(value[name], `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
