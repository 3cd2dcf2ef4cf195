// The kind of media of a data URI or an address, by its media type or its extension. All code
// that prices a file or forwards one uses it, so that nothing is forwarded as another kind than it was
// priced as.
import type { JsonObject } from "@turnpike/base";

export type MediaKind = "image" | "audio" | "video" | "document";

const types: Readonly<Record<string, readonly string[]>> = {
  "image/apng": ["apng"],
  "image/avif": ["avif"],
  "image/bmp": ["bmp"],
  "image/gif": ["gif"],
  "image/heic": ["heic"],
  "image/heif": ["heif"],
  "image/jpeg": ["jpg", "jpeg", "jfif"],
  "image/png": ["png"],
  "image/svg+xml": ["svg"],
  "image/tiff": ["tif", "tiff"],
  "image/webp": ["webp"],
  "audio/aac": ["aac"],
  "audio/aiff": ["aif", "aiff"],
  "audio/amr": ["amr"],
  "audio/flac": ["flac"],
  "audio/midi": ["mid", "midi"],
  "audio/mp3": ["mp3", "mp2", "mpga"],
  "audio/mp4": ["m4a", "m4b"],
  "audio/ogg": ["ogg", "oga", "opus", "spx"],
  "audio/wav": ["wav", "wave"],
  "audio/webm": ["weba"],
  "audio/x-caf": ["caf"],
  "audio/x-matroska": ["mka"],
  "audio/x-ms-wma": ["wma"],
  "video/3gpp": ["3gp", "3gpp", "3g2"],
  "video/mp2t": ["m2ts", "m3u8"],
  "video/mp4": ["mp4", "m4v", "mpd"],
  "video/mpeg": ["mpg", "mpeg", "vob"],
  "video/ogg": ["ogv"],
  "video/quicktime": ["mov", "qt"],
  "video/webm": ["webm"],
  "video/wmv": ["wmv", "asf"],
  "video/x-flv": ["flv", "f4v"],
  "video/x-matroska": ["mkv"],
  "video/x-msvideo": ["avi"],
  "application/json": ["json"],
  "application/msword": ["doc"],
  "application/pdf": ["pdf"],
  "application/rtf": ["rtf"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.ms-powerpoint": ["ppt"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/zip": ["zip"],
  "text/csv": ["csv"],
  "text/html": ["htm", "html"],
  "text/markdown": ["md"],
  "text/plain": ["txt"],
  "text/xml": ["xml"],
};
const typeOfExtension = new Map(
  Object.entries(types).flatMap(([type, extensions]) => extensions.map((name) => [name, type])),
);

/** What names of files of a type end with, without the point. */
export function extensionOfType(type: string): string {
  return types[properType(type)]?.[0] ?? "bin";
}

/** Containers of video whose media type does not begin with `video/`; an Ogg file may have either. */
const videoContainers = new Set([
  "application/mp4",
  "application/ogg",
  "application/x-matroska",
  "application/dash+xml",
  "application/vnd.apple.mpegurl",
  "application/x-mpegurl",
  "application/x-shockwave-flash",
]);

/** More than any scheme or media type has. */
const headLength = 512;

/** The beginning of an address as URL parsers read it: without white space and control characters. */
export function headOfAddress(address: string): string {
  const start = address.search(/[!-\u{10ffff}]/u);
  if (start === -1) return "";
  const head = address.slice(start, start + headLength);
  return head.replace(/\s|[^!-\u{10ffff}]/gu, "");
}

/**
 * The stated media type of a data URI (`""` if it states none), of any other address or file name
 * by its extension; undefined if that reveals nothing. In lower case, without parameters.
 */
export function mediaTypeOf(address: string): string | undefined {
  const head = headOfAddress(address);
  const inline = /^data:([^;,]*)/i.exec(head)?.[1];
  if (inline !== undefined) return inline.toLowerCase();
  if (!/^https?:/i.test(head)) return typeOfName(address);
  const url = URL.parse(address);
  if (url === null) return typeOfName(address);
  return typeOfName(url.pathname) ?? typeOfName(url.search);
}

/** Only the end is read: a name may be megabytes of base64. */
function typeOfName(name: string): string | undefined {
  const [end = ""] = name.slice(-64).split(";", 1);
  const extension = /\.([a-z0-9]{2,5})\/?$/i.exec(end.trimEnd())?.[1]?.toLowerCase() ?? "";
  return typeOfExtension.get(extension);
}

/** A stated media type by the name that providers know: clients also write `image/jpg`. */
export function properType(type: string): string {
  const lower = type.toLowerCase();
  return lower === "image/jpg" ? "image/jpeg" : lower;
}

/** Undefined for a type that reveals nothing. */
export function kindOfType(type: string | undefined): MediaKind | undefined {
  if (type === undefined || type === "" || type === "application/octet-stream") return undefined;
  if (type.startsWith("image/")) return "image";
  if (type.startsWith("audio/")) return "audio";
  if (type.startsWith("video/") || videoContainers.has(type)) return "video";
  return "document";
}

const youTube = /(?:^|\.)(?:youtube|youtube-nocookie)\.com$|(?:^|\.)youtu\.be$/;

/** A YouTube video has no extension. */
export function kindOfAddress(address: string): MediaKind | undefined {
  const isLink = /^https?:/i.test(headOfAddress(address));
  const host = isLink ? URL.parse(address)?.hostname.replace(/\.$/, "") : undefined;
  return host !== undefined && youTube.test(host) ? "video" : kindOfType(mediaTypeOf(address));
}

/**
 * The kind of the member `file` of a content part: the most expensive one its data and its address may
 * be. Its name counts if they reveal nothing.
 */
export function kindOfFile({ file_data: data, file_url: url, filename }: JsonObject): MediaKind {
  const kinds = [data, url].flatMap((address) =>
    typeof address === "string" ? (kindOfAddress(address) ?? []) : [],
  );
  if (kinds.length === 0 && typeof filename === "string") {
    kinds.push(kindOfType(mediaTypeOf(filename)) ?? "document");
  }
  for (const kind of ["video", "audio", "image"] as const) if (kinds.includes(kind)) return kind;
  return "document";
}
