import { expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { smallImage } from "@turnpike/testing";
import fc from "fast-check";
import { imageFormats } from "../content/media-format.ts";
import {
  endless,
  gif,
  gifExtension,
  inMemory,
  jpegFrame,
  jpegSegment,
  jpegStart,
  pngHeader,
  uint16,
  vp8,
  vp8x,
  webp,
  webpChunk,
} from "./image-bytes.fixture.ts";
import { type MediaBytes, measureImage } from "./measure-image.ts";

const image = { param: "image[0]", formats: imageFormats };

async function refusal(bytes: Uint8Array | MediaBytes): Promise<string> {
  const file = bytes instanceof Uint8Array ? inMemory(bytes) : bytes;
  const thrown = await measureImage(file, image).catch((fault: unknown) => fault);
  if (!(thrown instanceof Fault)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
  expect([thrown.code, thrown.details.param]).toEqual(["invalid_image", "image[0]"]);
  return thrown.message;
}

const color = [1, 2, 3] as const;
const longSegment = jpegSegment(0xe1, Buffer.alloc(65_533));
const picture = Buffer.from(smallImage("webp", { width: 9, height: 5, color })).subarray(12);

test.each([
  ["png", 64, 43, smallImage("png", { width: 64, height: 43, color })],
  ["jpeg", 64, 43, smallImage("jpeg", { width: 64, height: 43, color })],
  ["webp", 64, 43, smallImage("webp", { width: 64, height: 43, color })],
  ["gif", 3, 2, gif({ canvas: [3, 2], picture: [1, 1] })],
  ["gif", 3, 7, gif({ canvas: [3, 2], picture: [1, 7] })],
  ["gif", 3, 2, gif({ canvas: [3, 2], picture: [3, 2], before: gifExtension })],
  [
    "jpeg",
    300,
    200,
    Buffer.concat([
      jpegStart,
      ...Array.from({ length: 20 }, () => longSegment),
      jpegFrame(300, 200, 0xc2),
    ]),
  ],
  [
    "jpeg",
    300,
    200,
    Buffer.concat([jpegStart, Buffer.from([0xff, 0xff, 0xff]), jpegFrame(300, 200)]),
  ],
  ["webp", 640, 480, webp(vp8(640, 480))],
  ["webp", 700, 480, webp(vp8x(700, 400), webpChunk("ICCP", Buffer.alloc(3_001)), vp8(640, 480))],
  ["webp", 9, 5, webp(vp8x(2, 2), picture)],
  [
    "webp",
    800,
    600,
    webp(vp8x(800, 600), webpChunk("ANIM", Buffer.alloc(6)), webpChunk("ANMF", Buffer.alloc(40))),
  ],
] as const)(
  "a %s of %i x %i pixels is measured, wherever its bytes are divided",
  async (format, width, height, bytes) => {
    for (const chunkBytes of [1, 7, 1_000_000]) {
      expect(await measureImage(inMemory(bytes, chunkBytes), image)).toEqual({
        format,
        width,
        height,
      });
    }
  },
);

test("50 megapixels are accepted, and more are refused with both numbers", async () => {
  expect(await measureImage(inMemory(pngHeader(10_000, 5_000)), image)).toMatchObject({
    width: 10_000,
  });
  const message = await refusal(pngHeader(10_000, 5_001));
  expect(message).toContain("10000 x 5001 pixels");
  expect(message).toContain("at most 50 megapixels");
});

test.each([
  ["an empty file", Buffer.alloc(0), "no known format"],
  ["text", Buffer.from("hello"), "no known format"],
  [
    "an SVG",
    Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "svg",
  ],
  ["a PDF", Buffer.from("%PDF-1.7\n"), "pdf"],
  ["a PNG without width", pngHeader(0, 5), "zero"],
  ["a PNG without height", pngHeader(5, 0), "zero"],
  [
    "a PNG that begins with something else",
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT1234567890", "latin1"),
    "begin with its size",
  ],
  ["a PNG of 16 exapixels", pngHeader(0xffff_ffff, 0xffff_ffff), "megapixels"],
  ["a GIF without size", gif({ canvas: [0, 0], picture: [0, 0] }), "zero"],
  [
    "a GIF without a picture",
    Buffer.concat([Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1")]),
    "no picture",
  ],
  ["a JPEG without height", Buffer.concat([jpegStart, jpegFrame(10, 0)]), "zero"],
  [
    "a JPEG with a segment of no length",
    Buffer.concat([jpegStart, jpegSegment(0xe0, Buffer.alloc(9), 0)]),
    "impossible length",
  ],
  [
    "a JPEG whose picture comes first",
    Buffer.concat([jpegStart, jpegSegment(0xda, Buffer.alloc(8)), jpegFrame(9, 9)]),
    "not in its header",
  ],
  [
    "a JPEG with garbage between segments",
    Buffer.concat([jpegStart, jpegSegment(0xe0, Buffer.alloc(9)), Buffer.from("garbage")]),
    "segment is missing",
  ],
  [
    "a JPEG whose segment is longer than the file",
    Buffer.concat([jpegStart, jpegSegment(0xe0, Buffer.alloc(9), 60_000)]),
    "ends within",
  ],
  [
    "a WebP with a chunk of 4 GiB",
    webp(webpChunk("ICCP", Buffer.alloc(10), 0xffff_ffff)),
    "too long",
  ],
  ["a WebP of no known coding", webp(webpChunk("VP8 ", Buffer.alloc(10))), "not well-formed"],
  [
    "a WebP whose chunk is shorter than its contents",
    webp(webpChunk("VP8X", Buffer.alloc(10), 2)),
    "impossible length",
  ],
  ["a WebP that is sound", Buffer.from("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0", "latin1"), "wav"],
])("%s is refused", async (_, bytes, problem) => {
  expect(await refusal(bytes)).toContain(problem);
});

test("a header that is cut anywhere is refused", async () => {
  const files = [
    pngHeader(5, 5).subarray(0, 24),
    gif({ canvas: [3, 2], picture: [1, 1], before: gifExtension }).subarray(0, 47),
    Buffer.concat([jpegStart, jpegSegment(0xe0, Buffer.alloc(9)), jpegFrame(3, 2).subarray(0, 9)]),
    webp(vp8x(5, 5), vp8(5, 5)).subarray(0, 48),
  ];
  for (const file of files) {
    expect(await measureImage(inMemory(file), image)).toBeObject();
    for (let end = 0; end < file.length; end += 1) await refusal(file.subarray(0, end));
  }
});

test.each([
  ["segments of a JPEG", jpegStart, jpegSegment(0xe1, Buffer.alloc(60_000))],
  ["empty segments of a JPEG", jpegStart, jpegSegment(0xe1, Buffer.alloc(0))],
  ["filling bytes of a JPEG", jpegStart, Buffer.from([0xff])],
  ["blocks of a GIF", gif({ canvas: [1, 1], picture: [1, 1] }).subarray(0, 19), gifExtension],
  [
    "one block of a GIF",
    Buffer.concat([
      gif({ canvas: [1, 1], picture: [1, 1] }).subarray(0, 19),
      Buffer.from([0x21, 0xff]),
    ]),
    Buffer.from([1]),
  ],
  ["empty chunks of a WebP", webp(), webpChunk("EXIF", Buffer.alloc(0))],
  ["chunks of a WebP", webp(), webpChunk("EXIF", Buffer.alloc(50_000))],
])("%s without end are read to a bound, and the file is let go", async (_, start, part) => {
  const { bytes, state } = endless(start, part);
  await refusal(bytes);
  expect(state().bytesRead).toBeLessThan(9 * 1024 * 1024);
  expect(state().isOpen).toBe(false);
});

test("a GIF of the smallest blocks is read no further than 16,384 of them", async () => {
  const start = Buffer.concat([
    gif({ canvas: [1, 1], picture: [1, 1] }).subarray(0, 19),
    Buffer.from([0x21, 0xff]),
  ]);
  const { bytes, state } = endless(start, Buffer.from([1]));
  await refusal(bytes);
  expect(state().bytesRead).toBeLessThan(40_000);
});

test("no bytes after a signature do anything but measure or refuse", async () => {
  const starts = [pngHeader(5, 5).subarray(0, 8), jpegStart, Buffer.from("GIF89a"), webp()];
  const bit = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.constantFrom(jpegFrame(3, 2), gifExtension, vp8(3, 2), vp8x(3, 2), uint16(0xffff)),
  );
  const bits = fc.array(bit, { maxLength: 20 }).map((some) => Buffer.concat(some));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), bits, async (start, rest) => {
      const measured = await measureImage(inMemory(Buffer.concat([start, rest]), 13), image).catch(
        (thrown: unknown) => thrown,
      );
      if (measured instanceof Error) expect(measured).toBeInstanceOf(Fault);
    }),
    { numRuns: 2_000 },
  );
});
