// How long the sound is that has passed so far, of a file that is read while it is made. Frames and pages say it themselves, samples
// by their rate; what has neither is taken at the usual rate of its format.
import { id3Bytes } from "../content/media-format.ts";
import { parseMpegFrame } from "../content/mpeg-frame.ts";
import { adtsHeaderBytes, parseAdts } from "./measure-frames.ts";
import { oggPageMaxBytes, parsePage } from "./measure-ogg-opus.ts";
import { opusSeconds } from "./packet-seconds.ts";

export type SoundFormat = "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";

/** 24 kHz, 16 bits, one channel: what every provider of speech is asked for or has by default. */
const pcmBytesPerSecond = 48_000;

/** Of speech, for what has no frames that are read here. */
const usualBytesPerSecond: Readonly<Record<SoundFormat, number>> = {
  mp3: 16_000,
  opus: 4_000,
  aac: 8_000,
  // Half of the samples: FLAC's authors measured 50 to 60 percent.
  flac: pcmBytesPerSecond / 2,
  wav: pcmBytesPerSecond,
  pcm: pcmBytesPerSecond,
};

/** `more` needs bytes that have not come yet; undefined is no frame. */
type Step = { readonly bytes: number; readonly seconds: number } | "more" | undefined;
type Frames = {
  readonly readStep: (bytes: Buffer, at: number) => Step;
  /** A frame, page or tag begins with one of these: other bytes between them are not worth a step each. */
  readonly firstBytes: readonly number[];
};

/** The first byte of a tag: `ID3`. */
const tagByte = 0x49;
const syncByte = 0xff;

const framesOf: Readonly<Partial<Record<SoundFormat, Frames>>> = {
  mp3: { readStep: readMpeg, firstBytes: [syncByte, tagByte] },
  aac: { readStep: readAdts, firstBytes: [syncByte] },
  opus: { readStep: readPage, firstBytes: [0x4f] },
};

export class SoundClock {
  readonly #format: SoundFormat;
  readonly #frames: Frames | undefined;
  #bytes = 0;
  /** In frames. */
  #seconds = 0;
  #bytesPerSecond: number;
  /** Of the frame that is passing. */
  #skipped = 0;
  #rest: Buffer = Buffer.alloc(0);
  #isHeadRead = false;

  constructor(format: SoundFormat) {
    this.#format = format;
    this.#frames = framesOf[format];
    this.#bytesPerSecond = usualBytesPerSecond[format];
  }

  get seconds(): number {
    return this.#seconds > 0 ? this.#seconds : this.#bytes / this.#bytesPerSecond;
  }

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#format === "wav" && !this.#isHeadRead) this.#readHead(bytes);
    if (this.#frames !== undefined) this.#walk(bytes, this.#frames);
  }

  /** Source: "Multimedia Programming Interface and Data Specifications 1.0", Microsoft and IBM, 1991. */
  #readHead(bytes: Uint8Array): void {
    const head = Buffer.concat([this.#rest, bytes.subarray(0, headMaxBytes)]);
    const at = head.indexOf("fmt ", 12, "latin1");
    this.#rest = head;
    this.#isHeadRead = head.length >= headMaxBytes;
    if (at === -1 || head.length < at + 20) return;
    const rate = head.readUInt32LE(at + 16);
    if (rate > 0) this.#bytesPerSecond = rate;
    this.#isHeadRead = true;
    this.#rest = Buffer.alloc(0);
  }

  #walk(bytes: Uint8Array, { readStep, firstBytes }: Frames): void {
    const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const all = this.#rest.length === 0 ? own : Buffer.concat([this.#rest, own]);
    let at = Math.min(this.#skipped, all.length);
    this.#skipped -= at;
    while (at < all.length) {
      const step = readStep(all, at);
      if (step === "more") break;
      this.#seconds += step?.seconds ?? 0;
      const end = step === undefined ? nextOf(firstBytes, all, at + 1) : at + step.bytes;
      this.#skipped = Math.max(0, end - all.length);
      at = Math.min(end, all.length);
    }
    this.#rest = Buffer.from(all.subarray(at));
  }
}

/** Where one of these bytes is, or the end. */
function nextOf(wanted: readonly number[], bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) if (wanted.includes(bytes[at] ?? 0)) return at;
  return bytes.length;
}

/** Other chunks may come before the one with the rate, but no longer ones. */
const headMaxBytes = 4_096;
const id3HeaderBytes = 10;

function readMpeg(bytes: Buffer, at: number): Step {
  if (at + id3HeaderBytes > bytes.length) return "more";
  const tag = bytes[at] === tagByte ? id3Bytes(bytes.subarray(at)) : 0;
  if (tag > 0) return { bytes: tag, seconds: 0 };
  const frame = parseMpegFrame(bytes, at);
  return frame === undefined || frame.bytes === 0 ? undefined : frame;
}

function readAdts(bytes: Buffer, at: number): Step {
  return at + adtsHeaderBytes > bytes.length ? "more" : parseAdts(bytes, at);
}

/** A page is read as a whole: the first bytes of its packets say how long they are. */
function readPage(bytes: Buffer, at: number): Step {
  if (bytes.toString("latin1", at, at + 4) !== "OggS") {
    return bytes.length - at < 4 ? "more" : undefined;
  }
  const page = parsePage(bytes, at);
  if (page === undefined || page.end > bytes.length) {
    return bytes.length - at < oggPageMaxBytes ? "more" : undefined;
  }
  let seconds = 0;
  for (const start of page.packets) {
    // The two packets that describe the stream.
    if (bytes.toString("latin1", start, start + 4) === "Opus") continue;
    seconds += opusSeconds(bytes[start], bytes[start + 1]);
  }
  return { bytes: page.end - at, seconds };
}
