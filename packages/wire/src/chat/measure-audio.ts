// How long a sound in a prompt can be, from its bytes alone: what it costs is decided by its length, which
// is bounded before anything is decoded.
import { isObject, type JsonObject } from "@turnpike/base";

/** The thinnest MP3 has 8 kbit/s. Source: ISO/IEC 13818-3, layer III bit rates. */
const leastBytesPerSecond = 1_000;

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Data and nothing that a model could read as text. */
export function isBase64(text: string): boolean {
  return base64.test(text);
}

export type AudioSize = {
  /** Never less than the clip lasts; infinite where its data is not base64. */
  readonly seconds: number;
  /** Of its base64 text; 0 where it is text like any other. */
  readonly dataBytes: number;
};

export function measureAudio({ input_audio: audio }: JsonObject): AudioSize {
  const data = isObject(audio) ? audio.data : undefined;
  if (typeof data !== "string" || !isBase64(data)) {
    return { seconds: Number.POSITIVE_INFINITY, dataBytes: 0 };
  }
  const bytes = Math.ceil((data.length * 3) / 4);
  return { seconds: bytes / bytesPerSecond(data), dataBytes: data.length };
}

const headBytes = 4_096;
/** Uncompressed formats: PCM, IEEE float, and either in the extensible form. */
const plainFormats = new Set([0x0001, 0x0003, 0xfffe]);

/** Of a WAV file by its header, where it says how its samples lie; the least there is for all others. */
function bytesPerSecond(data: string): number {
  const head = Buffer.from(data.slice(0, (headBytes * 4) / 3), "base64");
  if (head.toString("latin1", 0, 4) !== "RIFF" || head.toString("latin1", 8, 12) !== "WAVE") {
    return leastBytesPerSecond;
  }
  for (let at = 12; at + 24 <= head.length; ) {
    const size = head.readUInt32LE(at + 4);
    if (head.toString("latin1", at, at + 4) === "fmt ") return readFormat(head, at + 8);
    at += 8 + size + (size % 2);
  }
  return leastBytesPerSecond;
}

/** Source: Microsoft's WAVEFORMATEX. */
function readFormat(head: Buffer, at: number): number {
  if (!plainFormats.has(head.readUInt16LE(at))) return leastBytesPerSecond;
  const channels = head.readUInt16LE(at + 2);
  const samplesPerSecond = head.readUInt32LE(at + 4);
  const bitsPerSample = head.readUInt16LE(at + 14);
  // A slower one than any recording would make the clip longer than its bytes say.
  return Math.max(1, (channels * samplesPerSecond * bitsPerSample) / 8);
}
