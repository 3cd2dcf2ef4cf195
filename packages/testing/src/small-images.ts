// Images of one color in real formats, a few hundred bytes each, written without a library: the answers of the sandbox, and
// what tests upload.
import { crc32, deflateSync } from "node:zlib";

export type SmallImage = {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue from 0 to 255; a JPEG has the gray of the red. */
  readonly color: readonly [red: number, green: number, blue: number];
};

export const imageFormats = ["png", "jpeg", "webp"] as const;
export type ImageFormat = (typeof imageFormats)[number];

const encoders: Readonly<Record<ImageFormat, (image: SmallImage) => Buffer>> = {
  png: encodePng,
  jpeg: encodeJpeg,
  webp: encodeWebp,
};

export function smallImage(format: ImageFormat, image: SmallImage): Buffer {
  return encoders[format](image);
}

function numbers(bits: 8 | 16 | 32, ...values: readonly number[]): Buffer {
  const bytes = bits / 8;
  const buffer = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) buffer.writeUIntBE(value, index * bytes, bytes);
  return buffer;
}

function encodePng({ width, height, color }: SmallImage): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const header = Buffer.concat([numbers(32, width, height), numbers(8, 8, 2, 0, 0, 0)]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(32, data.length), named, numbers(32, crc32(named))]);
}

/** Baseline, one component: the first block has the level, the others no difference to it. */
function encodeJpeg({ width, height, color: [level] }: SmallImage): Buffer {
  const quantum = 8;
  const difference = level - 128;
  const size = Math.max(1, Math.abs(difference).toString(2).length);
  const written = difference < 0 ? difference + 2 ** size - 1 : difference;
  // Codes: 00 for no difference, 01 for one of `size` bits, 0 for the end of a block.
  const first = difference === 0 ? "000" : `01${written.toString(2).padStart(size, "0")}0`;
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    numbers(16, 0xffd8),
    jpegSegment(0xffe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    jpegSegment(0xffdb, Buffer.from([0, ...Array.from({ length: 64 }, () => quantum)])),
    jpegSegment(
      0xffc0,
      Buffer.concat([numbers(8, 8), numbers(16, height, width), numbers(8, 1, 1, 0x11, 0)]),
    ),
    jpegSegment(0xffc4, Buffer.from([0x00, 0, 2, ...Array.from({ length: 14 }, () => 0), 0, size])),
    jpegSegment(0xffc4, Buffer.from([0x10, 1, ...Array.from({ length: 15 }, () => 0), 0])),
    jpegSegment(0xffda, Buffer.from([1, 1, 0x00, 0, 63, 0])),
    jpegBits(first + "000".repeat(blocks - 1)),
    numbers(16, 0xffd9),
  ]);
}

function jpegSegment(marker: number, data: Uint8Array): Buffer {
  return Buffer.concat([numbers(16, marker, data.length + 2), data]);
}

/** Filled up with ones; a byte of ones is followed by zeros, so that it is no marker. */
function jpegBits(bits: string): Buffer {
  const bytes = bits.match(/.{1,8}/g) ?? [];
  const values = bytes.map((byte) => Number.parseInt(byte.padEnd(8, "1"), 2));
  return Buffer.from(values.flatMap((value) => (value === 0xff ? [0xff, 0] : [value])));
}

/** Lossless: every code has one symbol, so a pixel takes no bits. */
function encodeWebp({ width, height, color: [red, green, blue] }: SmallImage): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  put(width - 1, 14);
  put(height - 1, 14);
  put(0, 4 + 3);
  for (const symbol of [green, red, blue, 255]) {
    put(0b101, 3);
    put(symbol, 8);
  }
  put(0b001, 3);
  put(0, 1);
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries())
    bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
  const data = Buffer.concat([numbers(8, 0x2f), bytes]);
  const padded = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(padded.length + 12, 0);
  sizes.writeUInt32LE(data.length, 4);
  const [whole, own] = [sizes.subarray(0, 4), sizes.subarray(4)];
  return Buffer.concat([Buffer.from("RIFF"), whole, Buffer.from("WEBPVP8L"), own, padded]);
}
