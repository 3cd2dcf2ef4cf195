// Headers of images, by hand: real ones are made by `smallImage` of testing.
import type { MediaBytes } from "./measure-image.ts";

export function inMemory(bytes: Uint8Array, chunkBytes = 1_000): MediaBytes {
  return {
    size: bytes.length,
    head: bytes.subarray(0, 4_096),
    *chunks() {
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
}

/** A file that repeats `part` without end, and how much of it was read. */
export function endless(start: Uint8Array, part: Uint8Array) {
  let bytesRead = 0;
  let isOpen = true;
  const block = Buffer.concat(Array.from({ length: Math.ceil(4_096 / part.length) }, () => part));
  const bytes: MediaBytes = {
    size: Number.POSITIVE_INFINITY,
    head: Buffer.concat([start, block]),
    *chunks() {
      try {
        for (let chunk: Uint8Array = start; ; chunk = block) {
          bytesRead += chunk.length;
          yield chunk;
        }
      } finally {
        isOpen = false;
      }
    },
  };
  return { bytes, state: () => ({ bytesRead, isOpen }) };
}

export function uint16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

export function pngHeader(width: number, height: number): Buffer {
  const sizes = uint32(height, width).reverse();
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "latin1"),
    sizes,
    Buffer.from([8, 2, 0, 0, 0, 0, 0, 0, 0]),
  ]);
}

type GifParts = {
  readonly canvas: readonly [number, number];
  readonly picture: readonly [number, number];
  readonly before?: Uint8Array;
};

export function gif({ canvas, picture, before = Buffer.alloc(0) }: GifParts): Buffer {
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    uint16(...canvas),
    // A table of two colors.
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    before,
    Buffer.from([0x2c]),
    uint16(0, 0, ...picture),
    Buffer.from([0, 2, 2, 0x44, 0x01, 0, 0x3b]),
  ]);
}

/** An application extension with one block. */
export const gifExtension = Buffer.from("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", "latin1");

export function webp(...chunks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(chunks);
  return Buffer.concat([Buffer.from("RIFF"), uint32(body.length + 4), Buffer.from("WEBP"), body]);
}

export function webpChunk(type: string, data: Uint8Array, length = data.length): Buffer {
  const padding = Buffer.alloc(data.length % 2);
  return Buffer.concat([Buffer.from(type), uint32(length), data, padding]);
}

export function vp8(width: number, height: number): Buffer {
  const start = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a]);
  return webpChunk("VP8 ", Buffer.concat([start, uint16(width, height), Buffer.alloc(4)]));
}

export function vp8x(width: number, height: number): Buffer {
  const sizes = [width - 1, height - 1].map((value) => uint32(value).subarray(0, 3));
  return webpChunk("VP8X", Buffer.concat([Buffer.alloc(4), ...sizes]));
}

export function jpegSegment(marker: number, data: Uint8Array, length = data.length + 2): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker]), uint16(length).reverse(), data]);
}

export const jpegStart = Buffer.from([0xff, 0xd8]);

export function jpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const sizes = Buffer.concat([uint16(height).reverse(), uint16(width).reverse()]);
  return jpegSegment(marker, Buffer.concat([Buffer.from([8]), sizes, Buffer.from([1, 1, 17, 0])]));
}
