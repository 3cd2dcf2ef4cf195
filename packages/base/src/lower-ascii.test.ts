// Only A to Z change.
import { expect, test } from "bun:test";
import { lowerAscii } from "./lower-ascii.ts";

test("A to Z are put into lower case, and no other character of Unicode changes", () => {
  expect(lowerAscii("Quack@Example.COM [\\]^_`{@}")).toBe("quack@example.com [\\]^_`{@}");
  for (let code = 0x7b; code <= 0x10ffff; code += 1) {
    const text = String.fromCodePoint(code);
    if (lowerAscii(text) !== text) throw new Error(`U+${code.toString(16)} was changed.`);
  }
});
