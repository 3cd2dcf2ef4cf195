// Lines of a file however it is divided into chunks: numbered as an editor does, without blank ones, and none longer than the most.
import { expect, test } from "bun:test";
import { readLines } from "./read-lines.ts";

async function linesOf(bytes: Uint8Array, chunkBytes: number, maxBytes = 1_000) {
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += chunkBytes)
      yield bytes.subarray(at, at + chunkBytes);
  }
  const lines = await Array.fromAsync(readLines(chunks(), maxBytes));
  return lines.map(({ number, text }) => [number, text] as const);
}

test("a file is divided at its line breaks, wherever its chunks end", async () => {
  const bytes = Buffer.from("\uFEFFfirst é\r\n\r\nthird €\n\n  \nlast 😀");
  for (let chunkBytes = 1; chunkBytes <= bytes.byteLength; chunkBytes += 1) {
    expect(await linesOf(bytes, chunkBytes)).toEqual([
      [1, "first é"],
      [3, "third €"],
      [6, "last 😀"],
    ]);
  }
});

test("a line that is too long or not UTF-8 has no text, and the next one is read", async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${"x".repeat(20)}\n`),
    Buffer.from([0xff, 0x0a, 0x61]),
  ]);
  expect(await linesOf(bytes, 3, 10)).toEqual([
    [1, undefined],
    [2, undefined],
    [3, "a"],
  ]);
});

test("an empty file has no lines", async () => {
  expect(await linesOf(new Uint8Array(), 1)).toEqual([]);
});
