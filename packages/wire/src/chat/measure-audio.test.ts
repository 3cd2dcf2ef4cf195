import { expect, test } from "bun:test";
import { measureAudio } from "./measure-audio.ts";

type Format = {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly bits?: number;
  /** Bytes of another chunk before the format. */
  readonly before?: number;
};

function wav(dataBytes: number, format: Format = {}): string {
  const { tag = 1, channels = 2, rate = 16_000, bits = 16, before = 0 } = format;
  const other = Buffer.alloc(before === 0 ? 0 : 8 + before);
  if (before > 0) {
    other.write("LIST", 0, "latin1");
    other.writeUInt32LE(before, 4);
  }
  const fmt = Buffer.alloc(24);
  fmt.write("fmt ", 0, "latin1");
  fmt.writeUInt32LE(16, 4);
  fmt.writeUInt16LE(tag, 8);
  fmt.writeUInt16LE(channels, 10);
  fmt.writeUInt32LE(rate, 12);
  fmt.writeUInt16LE(bits, 22);
  const head = Buffer.from("RIFF....WAVE", "latin1");
  return Buffer.concat([head, other, fmt, Buffer.alloc(dataBytes)]).toString("base64");
}

const secondsOf = (data: unknown, format = "wav") =>
  measureAudio({ type: "input_audio", input_audio: { data, format } }).seconds;

test("an uncompressed WAV file lasts as long as its samples", () => {
  for (const format of [{}, { tag: 3, bits: 32 }, { tag: 0xfffe, channels: 1 }, { before: 26 }]) {
    const { channels = 2, bits = 16 } = { channels: 2, bits: 16, ...format };
    const seconds = secondsOf(wav((10 * 16_000 * channels * bits) / 8, format));
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThan(10.1);
  }
});

test("every other sound may be the thinnest MP3 there is", () => {
  const bytes = 30_000;
  const mp3 = Buffer.alloc(bytes).toString("base64");
  const compressed = wav(bytes, { tag: 0x55 });
  const hidden = wav(bytes, { before: 5_000 });
  for (const data of [mp3, compressed, hidden]) expect(secondsOf(data)).toBeGreaterThanOrEqual(30);
});

test("a header cannot make a sound shorter than its bytes, nor break the reading", () => {
  expect(secondsOf(wav(50_000, { rate: 0 }))).toBeGreaterThanOrEqual(50_000);
  expect(secondsOf(wav(50_000, { rate: 1, channels: 1, bits: 8 }))).toBeGreaterThanOrEqual(50_000);
  for (const length of [0, 4, 12, 16, 35]) {
    const cut = Buffer.from(wav(0), "base64").subarray(0, length).toString("base64");
    expect(secondsOf(cut)).toBeLessThan(1);
  }
});

test("what is not base64 is text of unknown length", () => {
  for (const data of ["word ".repeat(10), 5, undefined, "AAAA\n"]) {
    expect(measureAudio({ input_audio: { data } })).toEqual({
      seconds: Number.POSITIVE_INFINITY,
      dataBytes: 0,
    });
  }
});
