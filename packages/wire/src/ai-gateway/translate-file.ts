// Files in the prompts of the AI SDK as content parts of chat completions: an address, base64, a data URL or, since
// specification 4, an object that says which of them it is.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import type { TranslationNotes } from "../messages/translate-blocks.ts";
import { partsOfAddress, partsOfData } from "../protocol/media-part.ts";

/** `part` was checked; `path` is that of the part. Throws Fault for a file that only another service has. */
export function translateFile(
  part: JsonObject,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  const { data, mediaType, filename } = part;
  const media = { mediaType: parseText(mediaType), filename: parseText(filename) };
  if (typeof data === "string") return partsOfText(data, media, path, notes);
  if (!isObject(data)) return [];
  switch (data.type) {
    case "url":
      return partsOfText(String(data.url), media, path, notes);
    case "data":
      return partsOfText(String(data.data), media, path, notes);
    case "text":
      return data.text === "" ? [] : [{ type: "text", text: data.text }];
    default:
      throw storedElsewhere(`${path}.data`);
  }
}

/** A file that was uploaded to a provider. */
export function storedElsewhere(path: string): ReturnType<typeof unsupported> {
  return unsupported(path, "Files of a provider are not known here. Send the file itself.");
}

type Media = { readonly mediaType: string | undefined; readonly filename: string | undefined };

function partsOfText(
  data: string,
  media: Media,
  path: string,
  notes: TranslationNotes,
): JsonObject[] {
  if (/^https?:/i.test(data)) {
    return partsOfAddress(data, { ...media, mediaType: withSubtype(media) }, path, notes);
  }
  const comma = data.startsWith("data:") ? data.indexOf(",") : -1;
  const base64 = data.slice(comma + 1);
  const stated = comma === -1 ? undefined : data.slice("data:".length, comma).split(";", 1)[0];
  return partsOfData(base64, { ...media, mediaType: typeOf(media, stated, base64) }, path, notes);
}

/** Since specification 4 the kind alone may be stated. */
function withSubtype({ mediaType }: Media): string | undefined {
  return mediaType === undefined || mediaType.includes("/") ? mediaType : `${mediaType}/*`;
}

/** Enough of a file, in base64, to recognize it by. */
const beginnings: readonly (readonly [base64: string, type: string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["JVBERi0", "application/pdf"],
  ["SUQz", "audio/mpeg"],
  ["//", "audio/mpeg"],
];

/** The AI SDK also states only a kind, such as `image` or `image/*`. */
function typeOf({ mediaType = "" }: Media, stated: string | undefined, base64: string): string {
  if (mediaType.includes("/") && !mediaType.endsWith("/*")) return mediaType;
  if (stated !== undefined && stated !== "") return stated;
  const [kind = ""] = mediaType.split("/", 1);
  if (base64.startsWith("UklGR")) return kind === "audio" ? "audio/wav" : "image/webp";
  const found = beginnings.find(([head]) => base64.startsWith(head))?.[1];
  return found ?? (kind === "image" ? "image/png" : "application/octet-stream");
}
