// The parts of each language that name an uploaded file by its id, and the same parts with the contents of the file, as a caller would
// have sent them inline. What a file is written as depends on its contents alone, so every provider that takes its kind can read it.
import { isObject, type JsonObject, type ObjectId, parseFileId } from "@turnpike/base";
import { isGiven } from "../checks/check-value.ts";
import { kindOfType, type MediaKind } from "../checks/media-type.ts";
import { TranslationNotes } from "../messages/translate-blocks.ts";
import { partsOfData } from "../protocol/media-part.ts";

export type NamedFile = {
  readonly filename: string;
  readonly mediaType: string;
  readonly base64: string;
};

export type NamingPart = {
  readonly id: ObjectId;
  /** Where the id is in the part. */
  readonly param: string;
  /** A member of the part with contents, which it must not have as well. */
  readonly besides?: string | undefined;
  readonly takes: (mediaType: string) => boolean;
  /** What it takes, for people. */
  readonly taken: string;
  readonly write: (file: NamedFile) => JsonObject;
};

type Takes = Pick<NamingPart, "takes" | "taken">;

const anything: Takes = { takes: () => true, taken: "a file" };
const image: Takes = only("image", "an image");
/** Source: `DocumentBlockParam` of Anthropic's SDK. */
const readable: Takes = {
  takes: (type) => type === "application/pdf" || isText(type),
  taken: "a PDF or plain text",
};

function only(kind: MediaKind, taken: string): Takes {
  return { takes: (type) => kindOfType(type) === kind, taken };
}

/** Undefined for a part that names no file of ours. */
export function readNamingPart(part: JsonObject): NamingPart | undefined {
  switch (part.type) {
    case "file":
      return readChatFile(part);
    case "input_file":
      return readInput(part, anything, ["file_data", "file_url"]);
    case "input_image":
      return readInput(part, image, ["image_url"]);
    case "image":
    case "document":
      return readBlock(part) ?? readMedium(part);
    case "audio":
    case "video":
      return readMedium(part);
    default:
      return readGemini(part);
  }
}

/** An image to edit, or a mask. */
export function readNamingImage(entry: JsonObject): NamingPart | undefined {
  const { file_id: text, ...rest } = entry;
  const id = idOf(text);
  if (id === undefined) return undefined;
  const besides = besidesOf(entry, ["image_url"]);
  const write = (file: NamedFile) => ({ ...rest, image_url: urlOf(file) });
  return { id, param: "file_id", besides, ...image, write };
}

function readChatFile({ file, type: _, ...rest }: JsonObject): NamingPart | undefined {
  const id = isObject(file) ? idOf(file.file_id) : undefined;
  if (id === undefined || !isObject(file)) return undefined;
  const besides = besidesOf(file, ["file_data", "file_url"]);
  const write = (named: NamedFile) => ({ ...rest, ...chatPartOf(named) });
  return { id, param: "file.file_id", besides, ...anything, write };
}

/** A part of the Responses API. */
function readInput(
  part: JsonObject,
  takes: Takes,
  contents: readonly string[],
): NamingPart | undefined {
  const { file_id: text, type, filename: _, detail, ...rest } = part;
  const id = idOf(text);
  if (id === undefined) return undefined;
  const besides = besidesOf(part, contents);
  const kept = type === "input_image" && detail !== undefined ? { ...rest, detail } : rest;
  const write = (file: NamedFile) => ({ ...kept, ...inputPartOf(file) });
  return { id, param: "file_id", besides, ...takes, write };
}

/** A block of Anthropic's messages. */
function readBlock(block: JsonObject): NamingPart | undefined {
  const { source, type } = block;
  const id = isObject(source) && source.type === "file" ? idOf(source.file_id) : undefined;
  if (id === undefined) return undefined;
  const write = (file: NamedFile) => ({ ...block, source: sourceOf(file) });
  return { id, param: "source.file_id", ...(type === "image" ? image : readable), write };
}

/** A medium of the Interactions API. */
function readMedium(medium: JsonObject): NamingPart | undefined {
  const { uri, mime_type: _, type, ...rest } = medium;
  const id = idOfUri(uri);
  const kinds = (["image", "audio", "video", "document"] as const).filter((kind) => kind === type);
  const [kind] = kinds;
  if (id === undefined || kind === undefined) return undefined;
  const besides = besidesOf(medium, ["data"]);
  const takes = kind === "document" ? anything : only(kind, `of the kind '${kind}'`);
  const write = ({ mediaType, base64: data }: NamedFile) => {
    return { ...rest, type, mime_type: mediaType, data };
  };
  return { id, param: "uri", besides, ...takes, write };
}

/** A part of Gemini's API, by either name of its members. */
function readGemini(part: JsonObject): NamingPart | undefined {
  for (const key of ["fileData", "file_data"]) {
    const file = part[key];
    if (!isObject(file)) continue;
    const name = "fileUri" in file ? "fileUri" : "file_uri";
    const id = idOfUri(file[name]);
    if (id === undefined) continue;
    const { [key]: _, ...rest } = part;
    const write = (named: NamedFile) => ({ ...rest, inlineData: blobOf(named, file) });
    return { id, param: `${key}.${name}`, ...anything, write };
  }
  return undefined;
}

function idOf(text: unknown): ObjectId | undefined {
  return typeof text === "string" ? parseFileId(text) : undefined;
}

const uriPrefix = "files/";

/** As Google's clients write it, or the id alone. */
function idOfUri(text: unknown): ObjectId | undefined {
  if (typeof text !== "string") return undefined;
  return parseFileId(text.startsWith(uriPrefix) ? text.slice(uriPrefix.length) : text);
}

/** The member with contents that a part has besides an id. */
function besidesOf(part: JsonObject, contents: readonly string[]): string | undefined {
  return contents.find((key) => isGiven(part[key]));
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/");
}

function urlOf({ mediaType, base64 }: NamedFile): string {
  return `data:${mediaType};base64,${base64}`;
}

function chatPartOf({ filename, mediaType, base64 }: NamedFile): JsonObject {
  const [part] = partsOfData(base64, { mediaType, filename }, "", new TranslationNotes());
  // Only an empty text is no part, and no file is empty.
  return part ?? { type: "text", text: "" };
}

function inputPartOf(file: NamedFile): JsonObject {
  const part = chatPartOf(file);
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image_url":
      return { type: "input_image", image_url: urlOf(file) };
    case "input_audio":
      return part;
    default:
      return { type: "input_file", filename: file.filename, file_data: urlOf(file) };
  }
}

function sourceOf({ mediaType, base64 }: NamedFile): JsonObject {
  if (!isText(mediaType)) return { type: "base64", media_type: mediaType, data: base64 };
  return {
    type: "text",
    media_type: "text/plain",
    data: Buffer.from(base64, "base64").toString(),
  };
}

function blobOf({ mediaType, base64 }: NamedFile, { displayName }: JsonObject): JsonObject {
  const named = displayName === undefined ? {} : { displayName };
  return { ...named, mimeType: mediaType, data: base64 };
}
