// Content of items as parts of chat messages. A single text stays a plain string: every upstream accepts
// one, but not all accept lists of parts.
import { isObject, type JsonObject, parseText } from "@turnpike/base";

/** Where a caller can mark a prompt cache; upstreams that support the mark expect it here. */
const markers = ["cache_control", "prompt_cache_breakpoint"];

/** `content` was checked: a string or a list of known parts. */
export function translateContent(content: unknown): string | JsonObject[] {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return plainIfOneText(content.filter(isObject).map(translatePart));
}

/** The text of a part that is alone and has no mark; otherwise the parts. */
export function plainIfOneText(parts: JsonObject[]): string | JsonObject[] {
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return parts;
  const isPlain = first.type === "text" && Object.keys(first).length === 2;
  return isPlain && typeof first.text === "string" ? first.text : parts;
}

function translatePart(part: JsonObject): JsonObject {
  const translated = partOf(part);
  for (const marker of markers) {
    if (isObject(part[marker])) translated[marker] = part[marker];
  }
  return translated;
}

function partOf(part: JsonObject): JsonObject {
  switch (part.type) {
    case "input_image": {
      const detail = parseText(part.detail);
      const image = { url: part.image_url };
      return { type: "image_url", image_url: detail === undefined ? image : { ...image, detail } };
    }
    case "input_file": {
      const file: JsonObject = {};
      for (const key of ["filename", "file_data", "file_url"]) {
        if (typeof part[key] === "string") file[key] = part[key];
      }
      return { type: "file", file };
    }
    case "input_audio":
      return { type: "input_audio", input_audio: part.input_audio };
    case "refusal":
      return { type: "refusal", refusal: part.refusal };
    default:
      return { type: "text", text: part.text };
  }
}
