import { expect, test } from "bun:test";
import fc from "fast-check";
import { measureAudio } from "./measure-audio.ts";

type Format = {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  readonly byteRate?: number;
  readonly blockAlign?: number;
  /** Of the extensible form. */
  readonly subformat?: number;
  readonly guidTail?: string;
  /** Bytes of another chunk before the format. */
  readonly before?: number;
  readonly copies?: number;
};

const chunk = (name: string, content: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};

function formatChunk(format: Format): Buffer {
  const { tag = 1, channels = 2, rate = 16_000, bits = 16, subformat } = format;
  const { guidTail = "000000001000800000aa00389b71" } = format;
  const fmt = Buffer.alloc(subformat === undefined ? 16 : 40);
  fmt.writeUInt16LE(tag, 0);
  fmt.writeUInt16LE(channels, 2);
  fmt.writeUInt32LE(rate, 4);
  fmt.writeUInt32LE(format.byteRate ?? (rate * channels * bits) / 8, 8);
  fmt.writeUInt16LE(format.blockAlign ?? (channels * bits) / 8, 12);
  fmt.writeUInt16LE(bits, 14);
  if (subformat === undefined) return chunk("fmt ", fmt);
  fmt.writeUInt16LE(22, 16);
  fmt.writeUInt16LE(subformat, 24);
  fmt.write(guidTail, 26, "hex");
  return chunk("fmt ", fmt);
}

function wav(dataBytes: number, format: Format = {}): string {
  const { before = 0, copies = 1 } = format;
  const other = before === 0 ? [] : [chunk("LIST", Buffer.alloc(before))];
  const formats = Array.from({ length: copies }, () => formatChunk(format));
  const chunks = [...other, ...formats, chunk("data", Buffer.alloc(dataBytes))];
  return Buffer.concat([Buffer.from("RIFF....WAVE", "latin1"), ...chunks]).toString("base64");
}

const secondsOf = (data: unknown, format = "wav") =>
  measureAudio({ type: "input_audio", input_audio: { data, format } }).seconds;
const unbounded = Number.POSITIVE_INFINITY;

test.each<Format>([
  {},
  { tag: 3, bits: 32 },
  { tag: 0xfffe, subformat: 1, channels: 1 },
  { tag: 0xfffe, subformat: 3, bits: 64, channels: 8 },
  { before: 26 },
  { before: 9_001 },
])("an uncompressed WAV file lasts as long as its samples: %j", (format) => {
  const { channels = 2, bits = 16 } = format;
  const seconds = secondsOf(wav((10 * 16_000 * channels * bits) / 8, format));
  expect(seconds).toBeGreaterThanOrEqual(10);
  expect(seconds).toBeLessThan(10.4);
});

test.each<Format>([
  { tag: 0x55 },
  { tag: 7, bits: 8 },
  { tag: 0x11 },
  { tag: 0xfffe },
  { tag: 0xfffe, subformat: 0x55 },
  { tag: 0xfffe, subformat: 1, guidTail: "000000001000800000aa00389b72" },
  { tag: 3, bits: 16 },
  { bits: 12 },
  { bits: 0 },
  { bits: 0xfff8 },
  { channels: 0 },
  { channels: 9 },
  { channels: 0xffff, bits: 8, byteRate: 0, blockAlign: 0xffff },
  { rate: 0 },
  { rate: 384_001 },
  { rate: 0xffff_ffff, byteRate: 0 },
  { byteRate: 1 },
  { blockAlign: 1 },
  { copies: 2 },
])("a WAV file with %j has no bound", (format) => {
  expect(secondsOf(wav(1_000, format))).toBe(unbounded);
});

const frame = Buffer.from("fff318c4000000000000000000000000", "hex");
const id3 = (sizeBytes: number, footer = 0) =>
  Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 4, 0, footer, 0, 0, sizeBytes >> 7, sizeBytes & 0x7f]),
    Buffer.alloc(sizeBytes + (footer === 0 ? 0 : 10), 1),
  ]);
const mp3 = (...parts: Uint8Array[]) =>
  secondsOf(Buffer.concat([...parts, Buffer.alloc(30_000)]).toString("base64"), "mp3");

test("an MP3 file is bounded by the lowest bit rate there is", () => {
  for (const parts of [[frame], [id3(5_001), frame], [id3(20), id3(300, 0x10), frame]]) {
    const seconds = mp3(...parts);
    expect(seconds).toBeGreaterThanOrEqual(30);
    expect(seconds).toBeLessThan(36);
  }
});

test("data that is not in its stated MP3 or WAV format has no bound", () => {
  const flac = Buffer.from("fLaC");
  for (const parts of [
    [flac],
    [Buffer.from("OggS")],
    [id3(20), flac],
    [id3(20)],
    [Buffer.from("fff15080", "hex")],
    [Buffer.from("fff300c4", "hex")],
    [Buffer.from("fff3f8c4", "hex")],
    [Buffer.from("ffeb18c4", "hex")],
    [Buffer.from("fff31cc4", "hex")],
    [],
  ]) {
    expect(mp3(...parts)).toBe(unbounded);
  }
  expect(secondsOf(wav(1_000), "mp3")).toBe(unbounded);
  expect(secondsOf(frame.toString("base64"), "wav")).toBe(unbounded);
  for (const format of ["ogg", "pcm16", "WAV", ""]) {
    expect(secondsOf(wav(1_000), format)).toBe(unbounded);
  }
});

test("a truncated file has no bound, and does not throw", () => {
  const whole = Buffer.from(wav(0), "base64");
  for (let length = 0; length < whole.length; length += 1) {
    const cut = whole.subarray(0, length).toString("base64");
    for (const format of ["wav", "mp3"]) expect(secondsOf(cut, format)).toBe(unbounded);
  }
});

test("no header makes audio shorter than the fastest format there is", () => {
  const field = fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.nat({ max: 0xffff_ffff }));
  const forged = fc.record({ tag: fc.constantFrom(1, 3, 7, 0xfffe), fields: fc.array(field) });
  const crafted = forged.map(({ tag, fields }) => {
    const at = (index: number) => fields[index] ?? 1;
    const format = {
      tag,
      channels: at(0) & 0xffff,
      rate: at(1),
      bits: at(2) & 0xffff,
      byteRate: ((at(1) * (at(0) & 0xffff) * (at(2) & 0xffff)) / 8) >>> 0,
      blockAlign: (((at(0) & 0xffff) * (at(2) & 0xffff)) / 8) & 0xffff,
    };
    return Buffer.from(wav(200, format), "base64");
  });
  const random = fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes));
  const labeled = random.map((bytes) =>
    Buffer.concat([Buffer.from("RIFF....WAVEfmt \x10\0\0\0", "latin1"), bytes]),
  );
  fc.assert(
    fc.property(
      fc.oneof(crafted, random, labeled),
      fc.constantFrom("wav", "mp3", "flac"),
      (bytes, format) => {
        const seconds = secondsOf(bytes.toString("base64"), format);
        expect(seconds).toBeGreaterThanOrEqual(bytes.length / (384_000 * 8 * 8));
      },
    ),
    { numRuns: 5_000 },
  );
});

test("data that is not base64 is text of unknown length", () => {
  for (const data of ["word ".repeat(10), 5, undefined, "AAAA\n"]) {
    expect(measureAudio({ input_audio: { data, format: "wav" } })).toEqual({
      seconds: Number.POSITIVE_INFINITY,
      dataBytes: 0,
    });
  }
});
