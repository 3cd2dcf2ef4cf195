// Media that a caller sends inline or as an address, as content parts of chat completions: what a part is told as depends on its
// media type alone, so that all languages translate the same file alike.
import type { JsonObject } from "@turnpike/base";
import {
  extensionOfType,
  kindOfAddress,
  kindOfType,
  mediaTypeOf,
  properType,
} from "../checks/media-type.ts";
import type { TranslationNotes } from "../messages/translate-blocks.ts";

type Media = {
  /** As the caller states it; undefined if only the address can reveal it. */
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
};

/** Documents that are nothing but text, which models of other providers take only as such. */
const textType = /^(?:text\/[\w.+-]+|application\/(?:json|xml|(?:x-)?(?:javascript|python|yaml)))$/;

/** `base64` is in the standard alphabet. An empty text is no part. */
export function partsOfData(
  base64: string,
  { mediaType = "", filename }: Media,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  const type = properType(mediaType.split(";", 1)[0]?.trim() ?? "");
  const address = `data:${type};base64,${base64}`;
  if (textType.test(type)) {
    const text = Buffer.from(base64, "base64").toString();
    return text === "" ? [] : [{ type: "text", text }];
  }
  switch (kindOfType(type)) {
    case "image":
      notes.firstImage ??= path;
      notes.imageBytes += base64.length;
      return [{ type: "image_url", image_url: { url: address } }];
    case "video":
      return [{ type: "video_url", video_url: { url: address } }];
    case "audio":
      return [audioPart(type, base64, address)];
    default:
      return [{ type: "file", file: { filename: nameOf(filename, type), file_data: address } }];
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

/** `url` is an address that anyone can read; it was checked. */
export function partsOfAddress(
  url: string,
  { mediaType, filename }: Media,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  const stated = mediaType?.toLowerCase();
  const kind = kindOfAddress(url) ?? kindOfType(stated);
  if (kind === "image") {
    notes.firstImage ??= path;
    return [{ type: "image_url", image_url: { url } }];
  }
  if (kind === "video" || kindOfType(stated) === "video") {
    return [{ type: "video_url", video_url: { url } }];
  }
  const name = nameOf(filename, stated ?? mediaTypeOf(url) ?? "");
  return [{ type: "file", file: { filename: name, file_url: url } }];
}

/** Some providers want a name, and tell what a file is by it. */
function nameOf(given: string | undefined, type: string): string {
  if (given !== undefined && given !== "") return given;
  if (kindOfType(type) !== "audio") return "document.pdf";
  const extension = extensionOfType(type);
  // With one that is known: whatever is told by its name is priced as audio.
  return `audio.${extension === "bin" ? "mp3" : extension}`;
}
