// Text that somebody chose stays text in a mail: nothing in it becomes a link.
import { expect, test } from "bun:test";
import { quoted, unlinked } from "./mail-parts.ts";

const mark = "\u200b";

test.each([
  ["a telephone number", "call +1 888 555 0100 now"],
  ["a number without spaces", "8885550100"],
  ["a number in pairs", "01 23 45 67 89"],
  ["a number in digits of another script", "\u0661\u0662\u0663 \u0664\u0665\u0666\u0667"],
])("%s is interrupted between all its digits, and looks the same", (_, text) => {
  const shown = quoted(text);
  expect(shown.replaceAll(mark, "")).toBe(`\u201c${text}\u201d`);
  expect(shown).not.toMatch(/\p{Nd}[\s().+-]{0,3}\p{Nd}/u);
});

test("the name of a share of a server begins no link", () => {
  expect(unlinked("\\\\server\\share")).toBe(`\\${mark}\\server\\share`);
});

test.each(["2024", "Route 66 & 101", "v1 2 3"])("%s is no telephone number", (text) => {
  expect(unlinked(text)).toBe(text);
});
