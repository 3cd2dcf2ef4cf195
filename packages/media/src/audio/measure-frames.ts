// The duration of streams of frames without a container, MPEG audio and AAC (ADTS): the sum of what each frame holds, at its own
// rate. A stream that is something else for the most part is not measured.
import { id3Bytes } from "../content/media-format.ts";
import { mpegFrameMaxBytes, parseMpegFrame } from "../content/mpeg-frame.ts";
import { aacRates } from "./packet-seconds.ts";
import { boundFrames, type Frame, type ParseFrame, walkFrames } from "./walk-frames.ts";

export type FramesMeasure = {
  readonly seconds: number;
  /** What decoders may find by beginning elsewhere. */
  readonly boundSeconds: number;
  /** In no frame: another program may find sound there. */
  readonly otherBytes: number;
};

export function measureMp3(bytes: Buffer): FramesMeasure | undefined {
  const sound = withoutTags(bytes);
  return measureFrames(sound.subarray(infoBytes(sound)), parseMp3, mpegFrameMaxBytes);
}

export function measureAdts(bytes: Buffer): FramesMeasure | undefined {
  return measureFrames(withoutTags(bytes), parseAdts, adtsFrameMaxBytes);
}

/** Of the packets of a container, whose frames need not be as it says. */
export function mpegSeconds(packet: Buffer): number {
  return walkFrames(packet, parseMp3).seconds;
}

/** Without the tags that begin a file. One within it is searched for frames, as decoders do. */
export function withoutTags(bytes: Buffer): Buffer {
  let sound = bytes;
  for (let size = id3Bytes(sound); size > 0; size = id3Bytes(sound)) sound = sound.subarray(size);
  return sound;
}

function measureFrames(
  bytes: Buffer,
  parse: ParseFrame,
  frameMaxBytes: number,
): FramesMeasure | undefined {
  const { seconds, otherBytes } = walkFrames(bytes, parse);
  if (seconds === 0 || otherBytes > bytes.length / 2) return undefined;
  return { seconds, otherBytes, boundSeconds: boundFrames(bytes, parse, frameMaxBytes) };
}

const headerBytes = 4;

/** In free format only the header is known to be of the frame; what follows it is searched for the next. */
function parseMp3(bytes: Buffer, at: number): Frame | undefined {
  const frame = parseMpegFrame(bytes, at);
  if (frame === undefined || frame.bytes > 0) return frame;
  return { seconds: frame.seconds, bytes: headerBytes };
}

/** A first frame that says how long the file is has no sound. */
function infoBytes(bytes: Buffer): number {
  const frame = parseMpegFrame(bytes, 0);
  if (frame === undefined) return 0;
  const head = bytes.toString("latin1", 0, Math.min(frame.bytes, 64));
  return /Xing|Info|VBRI/.test(head) ? frame.bytes : 0;
}

export const adtsHeaderBytes = 7;
/** In 13 bits. */
const adtsFrameMaxBytes = 8_191;

/** Source: ISO/IEC 13818-7, 6.2. */
export function parseAdts(bytes: Buffer, at: number): Frame | undefined {
  if (at + adtsHeaderBytes > bytes.length) return undefined;
  if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return undefined;
  const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
  const rate = aacRates[(bytes.readUInt8(at + 2) >> 2) & 15];
  if (length < adtsHeaderBytes || rate === undefined) return undefined;
  const blocks = (bytes.readUInt8(at + 6) & 3) + 1;
  return { seconds: (blocks * 1_024) / rate, bytes: length };
}
