// What a file contains, by its first bytes: names and stated types prove nothing. The table has every format that is
// accepted anywhere; each operation lists those it takes.
import { Fault } from "@turnpike/base";
import { type MpegFrame, parseMpegFrame } from "./mpeg-frame.ts";

export type FormatFacts = {
  readonly kind: "image" | "audio" | "document";
  /** How providers know it; `audioType` where a file without pictures has its own. */
  readonly type: string;
  readonly audioType?: string;
  readonly extension: string;
};

/** Containers of sound and pictures count as audio: only their sound is used. */
export const mediaFormats = {
  png: { kind: "image", type: "image/png", extension: "png" },
  jpeg: { kind: "image", type: "image/jpeg", extension: "jpg" },
  webp: { kind: "image", type: "image/webp", extension: "webp" },
  gif: { kind: "image", type: "image/gif", extension: "gif" },
  svg: { kind: "image", type: "image/svg+xml", extension: "svg" },
  mp3: { kind: "audio", type: "audio/mpeg", extension: "mp3" },
  m4a: { kind: "audio", type: "audio/mp4", extension: "m4a" },
  mp4: { kind: "audio", type: "video/mp4", audioType: "audio/mp4", extension: "mp4" },
  wav: { kind: "audio", type: "audio/wav", extension: "wav" },
  flac: { kind: "audio", type: "audio/flac", extension: "flac" },
  ogg: { kind: "audio", type: "audio/ogg", extension: "ogg" },
  webm: { kind: "audio", type: "video/webm", audioType: "audio/webm", extension: "webm" },
  aac: { kind: "audio", type: "audio/aac", extension: "aac" },
  pdf: { kind: "document", type: "application/pdf", extension: "pdf" },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type MediaFormat = keyof typeof mediaFormats;

/** Scalable images are programs: none is accepted, and none is mistaken for text. */
export const imageFormats = ["png", "jpeg", "webp", "gif"] as const satisfies MediaFormat[];
export const audioFormats = [
  "mp3",
  "m4a",
  "mp4",
  "wav",
  "flac",
  "ogg",
  "webm",
  "aac",
] as const satisfies MediaFormat[];

/** Of the bytes at the beginning, 4 KiB of which suffice; undefined for anything else. */
export function sniffFormat(head: Uint8Array): MediaFormat | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  for (const [format, matches] of signatures) if (matches(bytes)) return format;
  return undefined;
}

/** Throws `invalid_image` or `invalid_audio`, by what the list takes. */
export function requireFormat<Format extends MediaFormat>(
  head: Uint8Array,
  taken: readonly Format[],
  param: string,
): Format {
  const format = sniffFormat(head);
  const found = taken.find((one) => one === format);
  if (found !== undefined) return found;
  const isImage = taken.some((one) => mediaFormats[one].kind === "image");
  const names = taken.join(", ");
  const sentence = `Invalid '${param}': it contains ${format ?? "no known format"}. Supported formats: ${names}.`;
  throw new Fault(isImage ? "invalid_image" : "invalid_audio", sentence, { param });
}

type Matches = (bytes: Buffer) => boolean;

const startsWith =
  (text: string, at = 0): Matches =>
  (bytes) =>
    bytes.toString("latin1", at, at + text.length) === text;

const isRiff = startsWith("RIFF");

/** In the order in which they are tried: MPEG frames have the weakest mark. */
const signatures: readonly (readonly [MediaFormat, Matches])[] = [
  ["png", startsWith("\x89PNG\r\n\x1a\n")],
  ["jpeg", startsWith("\xff\xd8\xff")],
  ["gif", (bytes) => /^GIF8[79]a/.test(bytes.toString("latin1", 0, 6))],
  ["webp", (bytes) => isRiff(bytes) && startsWith("WEBP", 8)(bytes)],
  ["wav", (bytes) => isRiff(bytes) && startsWith("WAVE", 8)(bytes)],
  ["pdf", startsWith("%PDF-")],
  ["flac", startsWith("fLaC")],
  ["ogg", startsWith("OggS\0")],
  ["webm", isWebm],
  ["m4a", (bytes) => /^M4[AB] $/.test(brandOf(bytes))],
  ["mp4", (bytes) => /^(?:mp4[12]|isom|iso[2-9]|avc1|dash|M4V |MSNV|3gp\d)$/.test(brandOf(bytes))],
  ["svg", isSvg],
  ["flac", (bytes) => startsWith("fLaC", id3Bytes(bytes))(bytes)],
  ["aac", (bytes) => isAdts(bytes, id3Bytes(bytes))],
  ["mp3", (bytes) => isMpeg(bytes, id3Bytes(bytes))],
  // The tag may be longer than what is given of the file.
  ["mp3", (bytes) => id3Bytes(bytes) >= bytes.length && bytes.length > 10],
];

/** Source: ISO/IEC 14496-12, 4.3. */
function brandOf(bytes: Buffer): string {
  return startsWith("ftyp", 4)(bytes) ? bytes.toString("latin1", 8, 12) : "";
}

/** Source: RFC 8794: the document type is among the first elements of the header. */
function isWebm(bytes: Buffer): boolean {
  if (!startsWith("\x1a\x45\xdf\xa3")(bytes)) return false;
  const head = bytes.subarray(0, 64);
  const at = head.indexOf("\x42\x82", 4, "latin1");
  if (at === -1) return false;
  // The number of bytes of a length is that of its leading zeros, and one.
  const lengthBytes = Math.clz32((head[at + 2] ?? 0) << 24) + 1;
  return startsWith("webm", at + 2 + lengthBytes)(head);
}

function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString("utf8", 0, 4_096).replace(/^\ufeff/, "");
  return /^\s*<(?:\?xml|!|svg\b)/i.test(text) && /<svg\b/i.test(text);
}

/** How long the tags are that begin a file. Source: ID3v2.4, 3.1. */
export function id3Bytes(bytes: Buffer): number {
  if (!startsWith("ID3")(bytes) || bytes.length < 10) return 0;
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return 10 + size + (((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10);
}

/** Source: ISO/IEC 13818-7, 6.2: layer 0, and the length of the frame in 13 bits. */
function isAdts(bytes: Buffer, at: number): boolean {
  if (bytes.length < at + 7) return false;
  const isHeader = (start: number) => (bytes.readUInt16BE(start) & 0xfff6) === 0xfff0;
  if (!isHeader(at)) return false;
  const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  const next = at + length;
  return length >= 7 && (bytes.length < next + 2 || isHeader(next));
}

/** Two frames, or one that ends the file or what is given of it. */
function isMpeg(bytes: Buffer, at: number): boolean {
  const frame = parseMp3Frame(bytes, at);
  if (frame === undefined) return false;
  const next = at + frame.bytes;
  return bytes.length < next + 4 || parseMp3Frame(bytes, next) !== undefined;
}

function parseMp3Frame(bytes: Buffer, at: number): MpegFrame | undefined {
  const frame = parseMpegFrame(bytes, at);
  return frame?.layer === 3 && frame.bytes > 0 ? frame : undefined;
}
