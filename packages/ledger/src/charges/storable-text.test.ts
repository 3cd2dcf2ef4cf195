import { expect, test } from "bun:test";
import { storableJson, storableText } from "./write-request.ts";

const nul = "\0";
const loneSurrogate = "\ud83d";

test("ordinary text, quotes and all of Unicode are kept unchanged", () => {
  for (const text of ["", "stop", 'say "hi" \\ {a,b}', "naïve 😀", "x".repeat(512)]) {
    expect(storableText(text)).toBe(text);
    expect(storableJson([{ text }])).toBe(JSON.stringify([{ text }]));
  }
});

test("NUL is dropped, half of a surrogate pair replaced, long text cut", () => {
  expect(storableText(`a${nul}b${loneSurrogate}c`)).toBe("ab\ufffdc");
  expect(storableText("x".repeat(513))).toBe("x".repeat(512));
});

test("every string inside JSON is made storable, however deep, and nothing else changes", () => {
  const attempts = [
    { error: `a${nul}${loneSurrogate}`, status: 502, firstByteMs: null, nested: ["y".repeat(600)] },
  ];
  expect(JSON.parse(storableJson(attempts))).toEqual([
    { error: "a\ufffd", status: 502, firstByteMs: null, nested: ["y".repeat(512)] },
  ]);
  // A backslash before a `u` is ordinary text.
  expect(JSON.parse(storableJson(["\\u0000"]))).toEqual(["\\u0000"]);
});
