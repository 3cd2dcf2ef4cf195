// One frame of MPEG audio (MP3 and its relatives), from its header. Every frame names its own version, layer and rate, so a
// file may change them anywhere.

export type MpegFrame = {
  readonly layer: 1 | 2 | 3;
  readonly seconds: number;
  /** Zero where the header does not say it ("free format"): the frame ends where the next begins. */
  readonly bytes: number;
};

/** No frame is longer: layer II of MPEG 2.5, 160 kbit/s at 8 kHz, padded. */
export const mpegFrameMaxBytes = 2_881;

/** Kilobits per second, by the index in a header. Source: ISO/IEC 11172-3, 2.4.2.3, and 13818-3. */
const lowKilobits = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const kilobits = {
  full: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  low: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: lowKilobits,
    3: lowKilobits,
  },
} as const;
const sampleRates = [44_100, 48_000, 32_000] as const;
const layers = [undefined, 3, 2, 1] as const;

/** Undefined where no frame begins. */
export function parseMpegFrame(bytes: Buffer, at: number): MpegFrame | undefined {
  if (bytes[at] !== 0xff || bytes.length < at + 4) return undefined;
  const header = bytes.readUInt32BE(at);
  const version = (header >>> 19) & 3;
  const layer = layers[(header >>> 17) & 3];
  const fullRate = sampleRates[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer === undefined || fullRate === undefined)
    return undefined;
  const isLow = version !== 3;
  const kilobit = kilobits[isLow ? "low" : "full"][layer][(header >>> 12) & 15];
  if (kilobit === undefined) return undefined;
  const rate = fullRate >> (isLow ? (version === 2 ? 1 : 2) : 0);
  const samples = layer === 1 ? 384 : layer === 3 && isLow ? 576 : 1_152;
  const seconds = samples / rate;
  if (kilobit === 0) return { layer, seconds, bytes: 0 };
  const slotBytes = layer === 1 ? 4 : 1;
  const slots = Math.floor((samples / 8 / slotBytes) * ((kilobit * 1_000) / rate));
  return { layer, seconds, bytes: (slots + ((header >>> 9) & 1)) * slotBytes };
}
