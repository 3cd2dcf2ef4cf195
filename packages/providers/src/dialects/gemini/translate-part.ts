// Content parts of chat completions as parts of Gemini: text, and media as data or by their address. What
// Gemini cannot read is refused by its path, and nothing is sent as another kind of media than it was
// priced as: Gemini trusts the media type it is given.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { kindOfAddress, type MediaKind, mediaTypeOf, properType } from "@turnpike/wire";
import { untranslatable } from "../../untranslatable.ts";

/** One part of the pivot; `path` is where it is. An empty text is dropped. */
export function translatePart(part: JsonObject, path: string): JsonObject[] {
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "refusal":
      return textPart(part.refusal);
    case "image_url":
      return [mediaPart(addressOf(part.image_url), images, `${path}.image_url`)];
    case "video_url":
      return [mediaPart(addressOf(part.video_url), videos, `${path}.video_url`)];
    case "input_audio":
      return [audioPart(part.input_audio)];
    case "file":
      return [filePart(part.file, `${path}.file`)];
    default:
      throw untranslatable(`${path}.type`, "Gemini reads text, images, video, audio and files");
  }
}

/** `content` of a message, a string or a list of parts, as parts. */
export function translateContent(content: unknown, path: string): JsonObject[] {
  if (!Array.isArray(content)) return textPart(content);
  return content.flatMap((part: unknown, index) =>
    isObject(part) ? translatePart(part, `${path}[${index}]`) : [],
  );
}

function textPart(text: unknown): JsonObject[] {
  return typeof text === "string" && text !== "" ? [{ text }] : [];
}

/** Ollama's clients send the address without an object around it. */
function addressOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : parseText(isObject(value) ? value.url : undefined);
}

function audioPart(value: unknown): JsonObject {
  const { data, format } = isObject(value) ? value : {};
  return { inlineData: { mimeType: `audio/${String(format)}`, data } };
}

function filePart(value: unknown, path: string): JsonObject {
  const file = isObject(value) ? value : {};
  const address = parseText(file.file_data) ?? parseText(file.file_url);
  if (address !== undefined) return mediaPart(address, files, path);
  throw untranslatable(
    parseText(file.file_id) === undefined ? path : `${path}.file_id`,
    "send files as data or by their address: there are no uploaded files",
  );
}

/** What a part may contain. */
type Accepted = {
  readonly kinds: readonly MediaKind[];
  /** The media type of an address that does not reveal its own. */
  readonly assumedType: string;
  /** The rest of a message that begins with the part's path. */
  readonly problem: string;
};

const images: Accepted = {
  kinds: ["image"],
  assumedType: "image/jpeg",
  problem: "it must be an image; documents are `file` parts",
};
const videos: Accepted = {
  kinds: ["video"],
  assumedType: "video/mp4",
  problem: "it must be a video",
};
/** Audio in a file is priced as audio. */
const files: Accepted = {
  kinds: ["document", "image", "audio"],
  assumedType: "application/pdf",
  problem: "it must be a PDF, a text file, an image or audio",
};

/** A data URI becomes its data; an address is fetched by Google. */
function mediaPart(address: string | undefined, accepted: Accepted, path: string): JsonObject {
  if (address?.startsWith("data:")) {
    const inlineData = parseDataUri(address, path);
    checkKind(address, inlineData.mimeType, accepted, path);
    return { inlineData };
  }
  if (address === undefined || !/^https?:\/\//.test(address) || isOperatorsFile(address)) {
    throw untranslatable(path, "it must be a data URI or a public http(s) address");
  }
  const mimeType = mediaTypeOf(address) ?? accepted.assumedType;
  checkKind(address, mimeType, accepted, path);
  return { fileData: { mimeType, fileUri: address } };
}

/** Source: "Supported MIME types" of Gemini's pages on documents. It reads all of them as text. */
const readableDocument =
  /^(?:text\/[\w.+-]+|application\/(?:pdf|json|xml|rtf|(?:x-)?(?:javascript|typescript|python|yaml)))$/;

function checkKind(address: string, mimeType: string, accepted: Accepted, path: string): void {
  const kind = kindOfAddress(address) ?? kindOfAddress(`data:${mimeType},`);
  const isReadable = kind !== "document" || readableDocument.test(mimeType);
  if (kind !== undefined && accepted.kinds.includes(kind) && isReadable) return;
  throw untranslatable(path, accepted.problem);
}

/** Files uploaded to Google with the operator's own key. */
function isOperatorsFile(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/\.$/, "");
  return host === undefined || host === "generativelanguage.googleapis.com";
}

function parseDataUri(
  uri: string,
  path: string,
): { readonly mimeType: string; readonly data: string } {
  // Not a regular expression: the data can be megabytes long.
  const comma = uri.indexOf(",");
  const [mimeType = "", ...attributes] = uri.slice("data:".length, Math.max(comma, 0)).split(";");
  if (comma === -1 || mimeType === "" || attributes.at(-1) !== "base64") {
    throw untranslatable(path, "its data URI must have a media type and be in base64");
  }
  return { mimeType: properType(mimeType), data: uri.slice(comma + 1) };
}
