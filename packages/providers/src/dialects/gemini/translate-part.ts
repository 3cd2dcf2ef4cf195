// Content parts of chat completions as parts of Gemini: text, and media as data or by their address. What
// Gemini cannot be shown is refused by its path.
import { isObject, type JsonObject, readText } from "@turnpike/base";
import { untranslatable } from "../../untranslatable.ts";

/** One part of the pivot; `path` is where it is. An empty text says nothing and is left out. */
export function translatePart(part: JsonObject, path: string): JsonObject[] {
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "refusal":
      return textPart(part.refusal);
    case "image_url":
      return [mediaPart(addressOf(part.image_url), `${path}.image_url`)];
    case "video_url":
      return [mediaPart(addressOf(part.video_url), `${path}.video_url`)];
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

/** Ollama's clients write the address without an object around it. */
function addressOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : readText(isObject(value) ? value.url : undefined);
}

function audioPart(value: unknown): JsonObject {
  const { data, format } = isObject(value) ? value : {};
  return { inlineData: { mimeType: `audio/${String(format)}`, data } };
}

function filePart(value: unknown, path: string): JsonObject {
  const file = isObject(value) ? value : {};
  const address = readText(file.file_data) ?? readText(file.file_url);
  if (address !== undefined) return mediaPart(address, path);
  throw untranslatable(
    readText(file.file_id) === undefined ? path : `${path}.file_id`,
    "send files as data or by their address: there are no uploaded files",
  );
}

/** A data URI becomes its data; an address is fetched by Google. */
function mediaPart(address: string | undefined, path: string): JsonObject {
  if (address?.startsWith("data:")) return { inlineData: readDataUri(address, path) };
  if (address === undefined || !/^(?:https?|gs):\/\//.test(address)) {
    throw untranslatable(path, "it must be a data URI or an http(s) address");
  }
  const mimeType = guessMimeType(address);
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri: address } };
}

function readDataUri(uri: string, path: string): JsonObject {
  // Not a regular expression: the data can have megabytes.
  const comma = uri.indexOf(",");
  const [mimeType = "", ...attributes] = uri.slice("data:".length, Math.max(comma, 0)).split(";");
  if (comma === -1 || mimeType === "" || attributes.at(-1) !== "base64") {
    throw untranslatable(path, "its data URI must have a media type and be in base64");
  }
  return { mimeType, data: uri.slice(comma + 1) };
}

const mimeTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
  mp3: "audio/mp3",
  wav: "audio/wav",
};

/** By the extension of the path; Google finds out the rest by itself. */
function guessMimeType(address: string): string | undefined {
  const extension = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(mimeTypes, extension) ? mimeTypes[extension] : undefined;
}
