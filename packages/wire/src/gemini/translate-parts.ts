// Parts of Gemini's API as content parts of chat completions. What has no counterpart is noted, with its path, and omitted
// from the translation.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { kindOfAddress, kindOfType, mediaTypeOf, properType } from "../checks/media-type.ts";
import type { TranslationNotes } from "../messages/translate-blocks.ts";

/** The text and the media of one part; nothing for one without either. */
export function translatePart(
  part: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  return partsOf(part, path, notes).map((made) => notes.locate(made, path));
}

/** Those of the instructions or of a person: only a model thinks, and calls functions. */
export function translateParts(
  parts: unknown,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown, index) =>
    isObject(part) ? translatePart(part, `${path}[${index}]`, notes) : [],
  );
}

function partsOf(part: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  for (const name of ["executableCode", "codeExecutionResult"]) {
    if (isObject(part[name])) notes.refuse(`${path}.${name}`, "only Gemini runs code");
  }
  if (isObject(part.inlineData)) return translateData(part.inlineData, path, notes);
  if (isObject(part.fileData)) return translateFile(part.fileData, path, notes);
  const text = parseText(part.text) ?? "";
  return text === "" ? [] : [{ type: "text", text }];
}

/** Python's SDK writes bytes in the alphabet of URLs. */
function plainBase64(data: string): string {
  return /[-_]/.test(data) ? data.replaceAll("-", "+").replaceAll("_", "/") : data;
}

/** Documents that are nothing but text, which models of other providers take only as such. */
const textType = /^(?:text\/[\w.+-]+|application\/(?:json|xml|(?:x-)?(?:javascript|python|yaml)))$/;

function translateData(blob: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const type = properType(String(blob.mimeType).split(";", 1)[0]?.trim() ?? "");
  const data = plainBase64(String(blob.data));
  const address = `data:${type};base64,${data}`;
  if (textType.test(type)) {
    const text = Buffer.from(data, "base64").toString();
    return text === "" ? [] : [{ type: "text", text }];
  }
  switch (kindOfType(type)) {
    case "image":
      notes.firstImage ??= path;
      notes.imageBytes += data.length;
      return [{ type: "image_url", image_url: { url: address } }];
    case "video":
      return [{ type: "video_url", video_url: { url: address } }];
    case "audio":
      return [audioPart(type, data, address)];
    default:
      return [{ type: "file", file: { filename: nameOf(blob, type), file_data: address } }];
  }
}

const formats: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
]);

function audioPart(type: string, data: string, address: string): JsonObject {
  const format = formats.get(type);
  if (format !== undefined) return { type: "input_audio", input_audio: { data, format } };
  return { type: "file", file: { file_data: address } };
}

/** An address that anyone can read; it was checked. */
function translateFile(file: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const url = String(file.fileUri);
  const stated = parseText(file.mimeType)?.toLowerCase();
  const kind = kindOfAddress(url) ?? kindOfType(stated);
  if (kind === "image") {
    notes.firstImage ??= path;
    return [{ type: "image_url", image_url: { url } }];
  }
  if (kind === "video" || kindOfType(stated) === "video") {
    return [{ type: "video_url", video_url: { url } }];
  }
  const filename = nameOf(file, stated ?? mediaTypeOf(url) ?? "");
  return [{ type: "file", file: { filename, file_url: url } }];
}

/** Some providers want a name, and tell what a file is by it. */
function nameOf({ displayName }: JsonObject, type: string): string {
  const given = parseText(displayName);
  if (given !== undefined && given !== "") return given;
  return kindOfType(type) === "audio" ? "audio" : "document.pdf";
}
