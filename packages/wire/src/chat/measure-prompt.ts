// How much a model may have to read: an upper bound in bytes for holds, and the text itself for a
// tokenizer. The bound never counts less than an upstream can read; it counts everything it does not
// recognize.
import { isObject, type JsonObject } from "@turnpike/base";
import { kindOfFile } from "../checks/media-type.ts";
import { type JsonMembers, memberText } from "../json/edit-json-object.ts";
import { isBase64, measureAudio } from "./measure-audio.ts";

export type PromptSize = {
  readonly textBytes: number;
  readonly imageCount: number;
  readonly audioCount: number;
  /** Of all audio in the prompt together, at most. */
  readonly audioSeconds: number;
  /** Audio answers that the conversation refers to by id: the model gets them again. */
  readonly hearsEarlierAudio: boolean;
  readonly fileCount: number;
  /** Where the first image is, `messages[0].content[1]`. */
  readonly firstImage: string | undefined;
};

/**
 * Upstreams render these again for the model, indented or with `\u` escapes, so their bytes are
 * counted twice.
 */
const definitions = ["tools", "functions", "response_format"] as const;

/** What asks a model in words for a format that its provider has no field for, beside the schema. */
const formatInWordsBytes = 256;

/**
 * Bytes of the whole body, including unknown fields, without the base64 payload of inline images and
 * audio: those are counted as images and by the second. File data is included; a file may still
 * unpack to more text than it has bytes, so a caller of this bounds a request with files by the model's
 * context.
 */
export function measurePrompt(raw: string, members: JsonMembers, body: JsonObject): PromptSize {
  let textBytes = Buffer.byteLength(raw);
  for (const key of definitions) {
    if (body[key] === undefined) continue;
    textBytes += Buffer.byteLength(memberText(raw, members, key) ?? "");
  }
  if (isObject(body.response_format) && body.response_format.type !== "text") {
    textBytes += formatInWordsBytes;
  }
  const earlierAudio = countEarlierAudio(body);
  const size: Measured = {
    textBytes,
    imageCount: 0,
    audioCount: earlierAudio,
    audioSeconds: 0,
    hearsEarlierAudio: earlierAudio > 0,
    fileCount: 0,
    firstImage: undefined,
  };
  const { messages } = body;
  for (let message = 0; Array.isArray(messages) && message < messages.length; message += 1) {
    const holder: unknown = messages[message];
    if (isObject(holder) && Array.isArray(holder.content)) addParts(size, holder.content, message);
  }
  return size;
}

type Measured = { -readonly [Member in keyof PromptSize]: PromptSize[Member] };

/** The parts of the message at position `message`. */
function addParts(size: Measured, parts: readonly unknown[], message: number): void {
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) continue;
    if (part.type === "image_url") {
      size.imageCount += 1;
      size.firstImage ??= `messages[${message}].content[${index}]`;
      const url = imageUrlOf(part);
      size.textBytes -= url.length - inlineImageHead(url).length;
    } else if (part.type === "input_audio") {
      const { seconds, dataBytes } = measureAudio(part);
      size.audioCount += 1;
      size.audioSeconds += seconds;
      size.textBytes -= dataBytes;
    } else if (part.type === "file") {
      size.fileCount += 1;
      if (isObject(part.file) && kindOfFile(part.file) === "audio") {
        size.audioCount += 1;
        size.audioSeconds = Number.POSITIVE_INFINITY;
      }
    }
  }
}

function countEarlierAudio({ messages }: JsonObject): number {
  if (!Array.isArray(messages)) return 0;
  let count = 0;
  for (const message of messages) if (isObject(message) && isObject(message.audio)) count += 1;
  return count;
}

/** All text of the prompt, joined by newlines: what a tokenizer should count. */
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

/** Ids, types and settings are shorter than this, and contain no prompt. */
const longestLabel = 64;
const labels = new Set(["role", "type", "id", "tool_call_id", "detail", "format", "index"]);

type Place = "text" | "image" | "audio" | "file";

/** A payload may be omitted only where an image, audio or a file belongs: a text may begin like one. */
function collectStrings(value: unknown, texts: string[], place: Place = "text"): void {
  if (typeof value === "string") texts.push(readablePart(value, place));
  else if (Array.isArray(value)) for (const item of value) collectStrings(item, texts, place);
  else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (key.length > longestLabel) texts.push(key);
      const isLabel = typeof field === "string" && field.length <= longestLabel;
      if (isLabel && labels.has(key)) continue;
      const isImage = key === "image_url" && value.type === "image_url";
      const isFile = key === "file" && value.type === "file";
      const isAudio = key === "input_audio" && value.type === "input_audio";
      const inside = isImage ? "image" : isFile ? "file" : isAudio ? "audio" : place;
      collectStrings(field, texts, inside);
    }
  }
}

/** The text in a base64 payload is unknown to a tokenizer. */
function readablePart(text: string, place: Place): string {
  if (place === "image") return inlineImageHead(text);
  if (place === "audio") return isBase64(text) ? "" : text;
  return place === "file" ? text.slice(0, longestLabel) : text;
}

function imageUrlOf(part: JsonObject): string {
  const image = part.image_url;
  if (typeof image === "string") return image;
  return isObject(image) && typeof image.url === "string" ? image.url : "";
}

const inlineImage = /^data:image\/[a-z0-9.+-]{1,40};base64,/i;

/** What remains of a text without the payload of an inline image; all of any other text. */
function inlineImageHead(text: string): string {
  if (text.length < longestLabel) return text;
  return inlineImage.exec(text)?.[0] ?? text;
}
