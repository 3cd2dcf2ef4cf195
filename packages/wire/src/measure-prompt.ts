// How much a model may have to read: an upper bound in bytes for holds, and the text itself for a
// tokeniser. The bound never counts less than an upstream can read; it counts what it cannot place.
import { isObject, type JsonObject } from "./check-value.ts";
import { type JsonMembers, memberText } from "./edit-json-object.ts";

export type PromptSize = {
  readonly textBytes: number;
  readonly imageCount: number;
  readonly audioCount: number;
  readonly fileCount: number;
};

/**
 * Upstreams render these again for the model, indented or with `\u` escapes, so their bytes are
 * counted twice.
 */
const definitions = ["tools", "functions", "response_format"] as const;

/**
 * Bytes of the whole body, unknown fields included, without the base64 payload of inline images:
 * those are counted as images. Audio and file data stay in the bytes (a second of the thinnest MP3
 * is over 1,000 of them); a file may still unpack to more text than it has bytes, so a caller of
 * this bounds a request with files by the model's context.
 */
export function measurePrompt(raw: string, members: JsonMembers, body: JsonObject): PromptSize {
  let textBytes = Buffer.byteLength(raw);
  for (const key of definitions) {
    if (body[key] === undefined) continue;
    textBytes += Buffer.byteLength(memberText(raw, members, key) ?? "");
  }
  let imageCount = 0;
  let audioCount = 0;
  let fileCount = 0;
  for (const part of contentParts(body)) {
    if (part.type === "image_url") {
      imageCount += 1;
      const url = imageUrlOf(part);
      textBytes -= url.length - inlineImageHead(url).length;
    } else if (part.type === "input_audio") audioCount += 1;
    else if (part.type === "file") fileCount += 1;
  }
  return { textBytes, imageCount, audioCount, fileCount };
}

/** All text of the prompt, joined by newlines: what a tokeniser should count. */
export function collectPromptText(raw: string, members: JsonMembers, body: JsonObject): string {
  const texts: string[] = [];
  collectStrings(body.messages, texts);
  for (const member of members) {
    const length = member.valueEnd - member.valueStart;
    if (member.key === "messages" || length <= longestLabel) continue;
    texts.push(raw.slice(member.valueStart, member.valueEnd));
  }
  return texts.join("\n");
}

/** Ids, types and settings are shorter than this; no prompt hides in them. */
const longestLabel = 64;
const labels = new Set(["role", "type", "id", "tool_call_id", "detail", "format", "index"]);

/** Only where an image belongs may a payload be left out: a text may begin like one. */
function collectStrings(value: unknown, texts: string[], inImage = false): void {
  if (typeof value === "string") texts.push(inImage ? inlineImageHead(value) : value);
  else if (Array.isArray(value)) for (const item of value) collectStrings(item, texts, inImage);
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (key.length > longestLabel) texts.push(key);
      const isLabel = typeof field === "string" && field.length <= longestLabel;
      if (isLabel && labels.has(key)) continue;
      const isImage = key === "image_url" && value.type === "image_url";
      collectStrings(field, texts, inImage || isImage);
    }
  }
}

function* contentParts(body: JsonObject): Generator<JsonObject> {
  if (!Array.isArray(body.messages)) return;
  for (const message of body.messages) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (const part of message.content) if (isObject(part)) yield part;
  }
}

function imageUrlOf(part: JsonObject): string {
  const image = part.image_url;
  if (typeof image === "string") return image;
  return isObject(image) && typeof image.url === "string" ? image.url : "";
}

const inlineImage = /^data:image\/[a-z0-9.+-]{1,40};base64,/i;

/** What stays of a text when the payload of an inline image is left out; all of any other text. */
function inlineImageHead(text: string): string {
  if (text.length < longestLabel) return text;
  return inlineImage.exec(text)?.[0] ?? text;
}
