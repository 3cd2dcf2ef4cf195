// How long audio in a prompt can be, from its bytes alone: its cost depends on its length, which
// is bounded before anything is decoded. A header counts only if a decoder could not read it otherwise;
// all other audio is bounded only by the context of the model.
import { isObject, type JsonObject } from "@turnpike/base";

/** The lowest bit rate of MP3 is 8 kbit/s. Source: ISO/IEC 13818-3, layer III bit rates. */
const leastBytesPerSecond = 1_000;

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Only data, nothing that a model could read as text. */
export function isBase64(text: string): boolean {
  return base64.test(text);
}

export type AudioSize = {
  /** Never less than the clip's duration; infinite if nothing bounds it. */
  readonly seconds: number;
  /** Length of its base64 text; 0 if it is ordinary text. */
  readonly dataBytes: number;
};

export function measureAudio({ input_audio: audio }: JsonObject): AudioSize {
  const { data, format } = isObject(audio) ? audio : {};
  if (typeof data !== "string" || !isBase64(data)) {
    return { seconds: Number.POSITIVE_INFINITY, dataBytes: 0 };
  }
  const bytes = Math.ceil((data.length * 3) / 4);
  const rate = bytesPerSecond(data, format);
  const seconds = rate === 0 ? Number.POSITIVE_INFINITY : bytes / rate;
  return { seconds, dataBytes: data.length };
}

/** A lower bound; 0 if nothing is known. */
function bytesPerSecond(data: string, format: unknown): number {
  if (format === "wav") return rateOfWav(data);
  return format === "mp3" && isMpegAudio(data) ? leastBytesPerSecond : 0;
}

/** Bytes of base64 text, without decoding what is before them. */
function decodeBytes(data: string, start: number, length: number): Buffer {
  const skipped = start % 3;
  const first = ((start - skipped) / 3) * 4;
  const last = first + Math.ceil((skipped + length) / 3) * 4;
  return Buffer.from(data.slice(first, last), "base64").subarray(skipped, skipped + length);
}

/** More chunks or tags than a file has before its audio. */
const maxSteps = 64;

/** For a WAV file whose only format is uncompressed. Source: Microsoft's RIFF and WAVEFORMATEX. */
function rateOfWav(data: string): number {
  const head = decodeBytes(data, 0, 12).toString("latin1");
  if (head.length < 12 || !head.startsWith("RIFF") || !head.endsWith("WAVE")) return 0;
  let rate: number | undefined;
  for (let at = 12, step = 0; step < maxSteps; step += 1) {
    const chunk = decodeBytes(data, at, 8);
    if (chunk.length < 8) return 0;
    const name = chunk.toString("latin1", 0, 4);
    const size = chunk.readUInt32LE(4);
    if (name === "data") return rate ?? 0;
    if (name === "fmt ") {
      // Decoders differ in which of two formats they use.
      if (rate !== undefined) return 0;
      rate = rateOfFormat(decodeBytes(data, at + 8, Math.min(size, 40)));
    }
    at += 8 + size + (size % 2);
  }
  return 0;
}

const pcm = 1;
const float = 3;
const extensible = 0xfffe;
/** What follows the format tag in the GUID of a subformat. Source: Microsoft's ksmedia.h. */
const subformatTail = "000000001000800000aa00389b71";

/** 0 for compressed formats, and if the fields contradict each other. */
function rateOfFormat(format: Buffer): number {
  if (format.length < 16) return 0;
  const tag = tagOf(format);
  const channels = format.readUInt16LE(2);
  const samplesPerSecond = format.readUInt32LE(4);
  const bits = format.readUInt16LE(14);
  const blockBytes = (channels * bits) / 8;
  const rate = samplesPerSecond * blockBytes;
  const isKnown =
    (tag === pcm && [8, 16, 24, 32, 64].includes(bits)) ||
    (tag === float && [32, 64].includes(bits));
  const isPossible =
    channels >= 1 && channels <= 8 && samplesPerSecond >= 1 && samplesPerSecond <= 384_000;
  const isConsistent = format.readUInt16LE(12) === blockBytes && format.readUInt32LE(8) === rate;
  return isKnown && isPossible && isConsistent ? rate : 0;
}

function tagOf(format: Buffer): number | undefined {
  const tag = format.readUInt16LE(0);
  if (tag !== extensible) return tag;
  if (format.length < 40 || format.readUInt16LE(16) < 22) return undefined;
  return format.toString("hex", 26, 40) === subformatTail ? format.readUInt16LE(24) : undefined;
}

/** Whether frames of MPEG audio begin the file, or follow its ID3 tags, which may precede FLAC too. */
function isMpegAudio(data: string): boolean {
  for (let at = 0, step = 0; step < maxSteps; step += 1) {
    const head = decodeBytes(data, at, 10);
    if (head.length < 10) return false;
    if (head.toString("latin1", 0, 3) !== "ID3") return isFrameHeader(head.readUInt32BE(0));
    at += 10 + parseId3Size(head);
  }
  return false;
}

/** Source: ID3v2.4, section 3.1: 28 bits, and a footer of 10 bytes if its flag is set. */
function parseId3Size(head: Buffer): number {
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return size + ((head.readUInt8(5) & 0x10) === 0 ? 0 : 10);
}

/**
 * Sync, version, layer, bit rate and sample rate, each with a value that is not reserved. Layer 0 is AAC;
 * a free bit rate may be lower than any in the table. Source: ISO/IEC 11172-3, section 2.4.1.3.
 */
function isFrameHeader(header: number): boolean {
  const version = (header >>> 19) & 3;
  const layer = (header >>> 17) & 3;
  const bitRate = (header >>> 12) & 15;
  const sampleRate = (header >>> 10) & 3;
  return (
    header >>> 21 === 0x7ff &&
    version !== 1 &&
    layer !== 0 &&
    bitRate !== 0 &&
    bitRate !== 15 &&
    sampleRate !== 3
  );
}
