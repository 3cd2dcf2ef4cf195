// The clock of sound that is read while it is made: as long as the file is, wherever the network cuts it.
import { expect, test } from "bun:test";
import { adtsFile, mp3File, oggFile, wavFile } from "@turnpike/testing";
import { SoundClock, type SoundFormat } from "./sound-clock.ts";

function secondsOf(format: SoundFormat, file: Uint8Array, pieceBytes: number): number {
  const clock = new SoundClock(format);
  for (let at = 0; at < file.length; at += pieceBytes) {
    clock.add(file.subarray(at, at + pieceBytes));
  }
  return clock.seconds;
}

const files: readonly (readonly [SoundFormat, Uint8Array, number])[] = [
  ["mp3", mp3File(100), 3.6],
  ["aac", adtsFile(50), 3.2],
  ["opus", oggFile({ packets: 150 }), 3],
  ["wav", wavFile({ seconds: 3 }), 3],
  ["pcm", new Uint8Array(144_000), 3],
];

test.each(files)("%s is as long as its file, in pieces of any size", (format, file, seconds) => {
  for (const pieceBytes of [1, 7, 1_000, 65_536, file.length]) {
    expect(Math.abs(secondsOf(format, file, pieceBytes) - seconds)).toBeLessThan(0.05);
  }
});

test("a WAV file of another rate is measured by its own", () => {
  const file = Buffer.from(wavFile({ seconds: 3 }));
  const at = file.indexOf("fmt ");
  file.writeUInt32LE(file.readUInt32LE(at + 16) / 3, at + 16);
  expect(Math.abs(secondsOf("wav", file, 999) - 9)).toBeLessThan(0.05);
});

test("what has no frames is taken at the usual rate of its format", () => {
  for (const format of ["mp3", "aac", "opus", "flac"] as const) {
    expect(secondsOf(format, new Uint8Array(80_000), 4_096)).toBeGreaterThan(3);
  }
});
