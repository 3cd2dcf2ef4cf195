// How long the sound of a file is, and how long a provider may find it to be. The caller's own numbers never make it
// shorter: what headers say counts only where it is longer than what the file holds.
import { audioFormats, sniffFormat } from "../content/media-format.ts";
import { changesCodec } from "./changes-codec.ts";
import { findLinks, linksMax } from "./find-links.ts";
import { measureFlac } from "./measure-flac.ts";
import { type FramesMeasure, measureAdts, measureMp3, withoutTags } from "./measure-frames.ts";
import { measureOggOpus } from "./measure-ogg-opus.ts";
import type { TracksFormat } from "./measure-tracks.ts";
import { measureWav, type WavFile } from "./measure-wav.ts";
import { sumEdits } from "./sum-edits.ts";

export type AudioFormat = (typeof audioFormats)[number];

export type AudioMeasure = {
  readonly seconds: number;
  /** For a hold: not less than `seconds`. */
  readonly boundSeconds: number;
};

/** 320 kbit/s: no sound of speech or music is sent with more, unless it is not compressed. */
const lossyBytesPerSecond = 40_000;
/** 8 kbit/s, the lowest rate of MP3. Source: ISO/IEC 13818-3. */
const leastMp3BytesPerSecond = 1_000;
/** 2 kbit/s: no codec of speech that a container names has fewer while somebody speaks. Source: RFC 5574 on Speex. */
const leastBytesPerSecond = 250;

/** The longest that as many bytes of MP3 can be. */
export function secondsOfMp3(bytes: number): number {
  return bytes / leastMp3BytesPerSecond;
}

/** The longest that as many bytes are taken to be, in a part of a file of which nothing else is known. */
function secondsOfBytes(bytes: number): number {
  return bytes / leastBytesPerSecond;
}

/** Undefined where a file has no sound or cannot be read: what a library throws for one is of no known kind. */
export async function measureAudio(
  bytes: Buffer,
  format: AudioFormat,
): Promise<AudioMeasure | undefined> {
  try {
    return await measureAs(format, bytes);
  } catch {
    return undefined;
  }
}

async function measureAs(format: AudioFormat, bytes: Buffer): Promise<AudioMeasure | undefined> {
  if (format === "wav") return measureWavFile(inMemory(bytes));
  if (format === "flac") return exactly(measureFlac(bytes));
  if (format === "mp3") return measureMpeg(bytes);
  if (format === "aac") return ofFrames(measureAdts(bytes), bytes.length);
  if (format === "ogg") return measureOgg(bytes);
  if (format === "webm") return measureLinks(bytes, format);
  if (changesCodec(bytes)) return undefined;
  const measure = await measureLinks(bytes, format);
  return measure && edited(bytes, measure);
}

/** Without having all of it in memory. */
export function measureWavFile(file: WavFile): AudioMeasure | undefined {
  return exactly(measureWav(file));
}

function inMemory(bytes: Buffer): WavFile {
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

/** As long as its packets, or as what is played of them. */
function edited(bytes: Buffer, { seconds, boundSeconds }: AudioMeasure): AudioMeasure {
  return {
    seconds: Math.max(seconds, sumEdits(bytes, seconds)),
    boundSeconds: Math.max(boundSeconds, sumEdits(bytes, boundSeconds)),
  };
}

/** Behind a long tag there may be another format. */
async function measureMpeg(bytes: Buffer): Promise<AudioMeasure | undefined> {
  const sound = withoutTags(bytes);
  const sniffed = sound === bytes ? "mp3" : sniffFormat(sound);
  const other = audioFormats.find((format) => format === sniffed && format !== "mp3");
  return other ? measureAs(other, sound) : ofFrames(measureMp3(sound), bytes.length);
}

function ofFrames(measure: FramesMeasure | undefined, bytes: number): AudioMeasure | undefined {
  if (measure === undefined) return undefined;
  const { seconds, boundSeconds, otherBytes } = measure;
  const most = Math.max(boundSeconds, seconds + secondsOfMp3(otherBytes));
  return atLeast(seconds, Math.max(most, bytes / lossyBytesPerSecond));
}

async function measureOgg(bytes: Buffer): Promise<AudioMeasure | undefined> {
  const { seconds: opus, hasFlac, hasOthers } = measureOggOpus(bytes);
  // Its frames are found in pages as they are in a file of their own.
  const flac = hasFlac ? (measureFlac(bytes) ?? 0) : 0;
  const least = hasFlac ? 0 : bytes.length / lossyBytesPerSecond;
  if (!hasOthers) return atLeast(opus + flac, least);
  const others = await measureLinks(bytes, "ogg");
  return others && atLeast(Math.max(opus, others.seconds) + flac, others.boundSeconds + flac);
}

function exactly(seconds: number | undefined): AudioMeasure | undefined {
  return atLeast(seconds, 0);
}

function atLeast(seconds: number | undefined, boundSeconds: number): AudioMeasure | undefined {
  if (!seconds) return undefined;
  return { seconds, boundSeconds: Math.max(seconds, boundSeconds) };
}

async function measureLinks(
  bytes: Buffer,
  format: TracksFormat,
): Promise<AudioMeasure | undefined> {
  const starts = findLinks(bytes, format);
  if (starts.length > linksMax) return undefined;
  // Loaded where it is needed: it takes a third of a second, and megabytes.
  const { measureTracks } = await import("./measure-tracks.ts");
  let seconds = 0;
  let boundSeconds = 0;
  for (const [index, start] of starts.entries()) {
    const link = bytes.subarray(start, starts[index + 1]);
    const measured = await measureTracks(link, format);
    // Pictures are no sound; a part in which the library finds nothing may have some for another program.
    const ownBytes = measured?.hasVideo ? measured.audioBytes : link.length;
    seconds += measured?.seconds ?? 0;
    const most = measured?.boundSeconds ?? secondsOfBytes(ownBytes);
    boundSeconds += Math.max(most, ownBytes / lossyBytesPerSecond);
  }
  return atLeast(seconds, boundSeconds);
}
