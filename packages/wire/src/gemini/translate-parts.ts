// Parts of Gemini's API as content parts of chat completions. What has no counterpart is noted, with its path, and omitted
// from the translation.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import type { TranslationNotes } from "../messages/translate-blocks.ts";
import { partsOfAddress, partsOfData } from "../protocol/media-part.ts";

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

function translateData(blob: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const { mimeType, data, displayName } = blob;
  const media = { mediaType: String(mimeType), filename: parseText(displayName) };
  return partsOfData(plainBase64(String(data)), media, path, notes);
}

/** An address that anyone can read; it was checked. */
function translateFile(file: JsonObject, path: string, notes: TranslationNotes): JsonObject[] {
  const { fileUri, mimeType, displayName } = file;
  const media = { mediaType: parseText(mimeType), filename: parseText(displayName) };
  return partsOfAddress(String(fileUri), media, path, notes);
}
