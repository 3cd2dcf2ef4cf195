// How long one packet of a codec lasts, from what a decoder reads of it. Timestamps and tables of a container can say
// anything, the packets cannot: a decoder makes this much sound of each.

/** Source: RFC 6716, 3.1: milliseconds of a frame by the configuration in the first byte. */
const opusFrameMs = [
  10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20,
  2.5, 5, 10, 20, 2.5, 5, 10, 20,
] as const;
/** Source: RFC 6716, 3.2.5: no packet is longer. */
const opusPacketMaxMs = 120;

/** Of the first two bytes of a packet; a packet without any is lost sound of one frame. */
export function opusSeconds(first: number | undefined, second: number | undefined): number {
  if (first === undefined) return 0;
  const frameMs = opusFrameMs[first >> 3] ?? 20;
  const code = first & 3;
  const frames = code === 0 ? 1 : code === 3 ? (second ?? 0) & 63 : 2;
  return Math.min(frames * frameMs, opusPacketMaxMs) / 1_000;
}

/** Source: ISO/IEC 14496-3, table 1.18. */
export const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
] as const;
const aacSamples = 1_024;
/** The one object type whose rate is that of the output, with up to four times the samples. */
const unifiedSpeech = 42;

/** Of a packet, by the configuration in its container; by `rate` where there is none. Source: ISO/IEC 14496-3, 1.6.2.1. */
export function aacSeconds(config: Uint8Array | undefined, rate: number): number {
  if (config === undefined || config.length < 2) return aacSamples / rate;
  const padded = Buffer.concat([config.subarray(0, 8), Buffer.alloc(8)]);
  const bits = padded.readBigUInt64BE(0);
  const read = (at: number, count: number) =>
    Number((bits >> BigInt(64 - at - count)) & ((1n << BigInt(count)) - 1n));
  const isLong = read(0, 5) === 31;
  const type = isLong ? 32 + read(5, 6) : read(0, 5);
  const at = isLong ? 11 : 5;
  const index = read(at, 4);
  const stated = index === 15 ? read(at + 4, 24) : (aacRates[index] ?? 0);
  const samples = type === unifiedSpeech ? 4 * aacSamples : aacSamples;
  return samples / (stated > 0 ? stated : rate);
}

/** Of any packet but the first, at most. Source: the Vorbis I specification, 4.2.2. */
export function vorbisSecondsMax(config: Uint8Array | undefined, rate: number): number | undefined {
  if (config === undefined) return undefined;
  const bytes = Buffer.from(config.buffer, config.byteOffset, config.byteLength);
  const start = bytes.indexOf("\x01vorbis", 0, "latin1");
  const sizes = start === -1 ? undefined : bytes[start + 28];
  return sizes === undefined ? undefined : 2 ** (sizes >> 4) / 2 / rate;
}
