// Audio files made by hand: silence, in as few bytes as its format allows. Of each number in them a test can say whether it
// is true.

export function uintBE(bytes: 1 | 2 | 3 | 4, ...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) buffer.writeUIntBE(value, index * bytes, bytes);
  return buffer;
}

export function uintLE(bytes: 2 | 4, ...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) buffer.writeUIntLE(value, index * bytes, bytes);
  return buffer;
}

/** At least none. */
export function repeatBytes(count: number, part: (index: number) => Uint8Array): Buffer {
  return Buffer.concat(Array.from({ length: Math.max(0, count) }, (_, index) => part(index)));
}

type WavOptions = {
  readonly seconds: number;
  /** What the header says; default: the truth. */
  readonly statedBytes?: number;
  readonly statedRate?: number;
  readonly tag?: number;
  /** Chunks before the sound. */
  readonly before?: Uint8Array;
  /** Default: silence. */
  readonly samples?: Uint8Array;
};

/** 16 bits, mono, 24 kHz. */
export function wavFile({
  seconds,
  statedBytes,
  statedRate = 48_000,
  tag = 1,
  before,
  samples = Buffer.alloc(48_000 * seconds),
}: WavOptions): Buffer {
  const body = Buffer.concat([
    Buffer.from("WAVEfmt \x10\0\0\0", "latin1"),
    uintLE(2, tag, 1),
    uintLE(4, 24_000, statedRate),
    uintLE(2, 2, 16),
    before ?? Buffer.alloc(0),
    Buffer.from("data"),
    uintLE(4, statedBytes ?? samples.length),
    samples,
  ]);
  return Buffer.concat([Buffer.from("RIFF"), uintLE(4, body.length), body]);
}

/** MPEG 1, layer III, 64 kbit/s at 32 kHz: 288 bytes that last 36 ms. */
const mpegFrame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x58, 0xc0]), Buffer.alloc(284)]);

type Mp3Options = {
  /** In a header of Xing. */
  readonly statedFrames?: number;
  /** Bytes of something else after the tenth frame. */
  readonly garbage?: number;
};

export function mp3File(frames: number, { statedFrames, garbage = 0 }: Mp3Options = {}): Buffer {
  const first = Buffer.from(mpegFrame);
  if (statedFrames !== undefined) {
    // After the side information of mono.
    first.write("Xing", 4 + 17, "latin1");
    uintBE(4, 1, statedFrames).copy(first, 4 + 17 + 4);
  }
  const start = repeatBytes(Math.min(9, frames - 1), () => mpegFrame);
  const rest = repeatBytes(frames - 10, () => mpegFrame);
  return Buffer.concat([first, start, Buffer.alloc(garbage, 0x55), rest]);
}

/** AAC at 16 kHz: frames of 64 ms for each of their blocks. */
export function adtsFile(frames: number, blocks = 1): Buffer {
  const length = 7 + 4;
  const header = Buffer.concat([
    Buffer.from([0xff, 0xf1, 0x60, 0x40]),
    uintBE(2, (length << 5) | 0x1f),
    Buffer.from([0xfc | (blocks - 1)]),
  ]);
  return repeatBytes(frames, () => Buffer.concat([header, Buffer.from([0x01, 0x18, 0x20, 0x07])]));
}

function crc(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum << 1) ^ ((sum >> (bits - 1)) & 1 ? polynomial : 0);
      sum &= 2 ** bits - 1;
    }
  }
  return sum;
}

/** 16 bits, mono, 16 kHz: frames of 4,096 equal samples, which last 256 ms. */
export function flacFile(frames: number, { statedSamples = frames * 4_096 } = {}): Buffer {
  const facts = Buffer.alloc(8);
  facts.writeBigUInt64BE((16_000n << 44n) | (15n << 36n) | BigInt(statedSamples));
  const info = Buffer.concat([uintBE(2, 4_096, 4_096), Buffer.alloc(6), facts, Buffer.alloc(16)]);
  const body = repeatBytes(frames, (index) => {
    const head = Buffer.concat([Buffer.from([0xff, 0xf8, 0xc5, 0x08]), utf8Number(index)]);
    const frame = Buffer.concat([head, uintBE(1, crc(head, 8, 0x07)), Buffer.from([0, 0, 0])]);
    return Buffer.concat([frame, uintBE(2, crc(frame, 16, 0x8005))]);
  });
  return Buffer.concat([Buffer.from("fLaC\x80\0\0\x22", "latin1"), info, body]);
}

function utf8Number(value: number): Buffer {
  return Buffer.from(String.fromCodePoint(value));
}

/** Opus frames of silence of 20 ms: SILK, wideband. */
export const opusPacket = Buffer.from([9 << 3, 0xff, 0xfe]);

type OggOptions = {
  readonly packets: number;
  /** The position of the last page; default: the truth. */
  readonly statedSamples?: number;
  readonly packet?: Uint8Array;
  readonly stream?: number;
};

export function oggFile({
  packets,
  statedSamples,
  packet = opusPacket,
  stream = 7,
}: OggOptions): Buffer {
  const head = Buffer.concat([
    Buffer.from("OpusHead\x01\x01", "latin1"),
    uintLE(2, 0),
    uintLE(4, 48_000),
    Buffer.alloc(3),
  ]);
  const tags = Buffer.concat([Buffer.from("OpusTags"), uintLE(4, 0, 0)]);
  const perPage = 50;
  const pages = Math.ceil(packets / perPage);
  const sound = repeatBytes(pages, (page) => {
    const count = Math.min(perPage, packets - page * perPage);
    const isLast = page === pages - 1;
    const position =
      isLast && statedSamples !== undefined ? statedSamples : (page * perPage + count) * 960;
    return oggPage({
      flags: isLast ? 4 : 0,
      position,
      stream,
      index: page + 2,
      packets: Array.from({ length: count }, () => packet),
    });
  });
  const start = { position: 0, stream };
  return Buffer.concat([
    oggPage({ ...start, flags: 2, index: 0, packets: [head] }),
    oggPage({ ...start, flags: 0, index: 1, packets: [tags] }),
    sound,
  ]);
}

type OggPage = {
  readonly flags: number;
  readonly position: number;
  readonly stream: number;
  readonly index: number;
  readonly packets: readonly Uint8Array[];
};

function oggPage({ flags, position, stream, index, packets }: OggPage): Buffer {
  const page = Buffer.concat([
    Buffer.from("OggS\0", "latin1"),
    uintBE(1, flags),
    uintLE(4, position, 0, stream, index, 0),
    uintBE(1, packets.length, ...packets.map(({ length }) => length)),
    ...packets,
  ]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

/** Source: RFC 3533, 6. */
function oggChecksum(page: Uint8Array): number {
  let sum = 0;
  for (const byte of page) {
    sum = (sum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = ((sum & 0x8000_0000 ? 0x04c1_1db7 : 0) ^ (sum << 1)) >>> 0;
    }
  }
  return sum;
}
