// Names: one form of each, and nothing in them that cannot be seen.
import { describe, expect, test } from "bun:test";
import { Fault } from "./fault.ts";
import { cleanName, normalizeName, parseName } from "./parse-name.ts";

const message = "A name has 1 to 10 characters.";
const rules = { charsMax: 10, message };

function refusalOf(text: string, more: { readonly mayBeEmpty?: boolean } = {}): string {
  try {
    return `accepted: ${parseName(text, { ...rules, ...more })}`;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect([error.code, error.details.param]).toEqual(["invalid_value", "name"]);
    return error.message;
  }
}

test.each([
  ["white space around it", " \u00a0Acme\t\n", "Acme"],
  ["runs of spaces of any width", "Ac  me\u00a0\u3000AG", "Ac me AG"],
  ["letters and their accents apart", "Zu\u0308rich", "Z\u00fcrich"],
  ["a sign that is canonically a letter", "quac\u212a", "quacK"],
])("%s: the name is stored in one form", (_, given, stored) => {
  expect(parseName(given, rules)).toBe(stored);
  expect(normalizeName(given)).toBe(stored);
  expect(normalizeName(stored)).toBe(stored);
});

test("the length is that of the stored form", () => {
  expect(parseName("u\u0308".repeat(10), rules)).toBe("\u00fc".repeat(10));
  expect(refusalOf("\u00fc".repeat(11))).toBe(message);
  expect(refusalOf("  ")).toBe(message);
  expect(parseName("  ", { ...rules, mayBeEmpty: true })).toBe("");
});

describe("refused", () => {
  test.each([
    ["a control character", "a\nb"],
    ["NUL", "a\0b"],
    ["half of a surrogate pair", "a\ud83db"],
    ["a line separator", "a\u2028b"],
    ["a paragraph separator", "a\u2029b"],
    ["a zero-width space", "a\u200bb"],
    ["a soft hyphen", "a\u00adb"],
    ["a byte order mark", "a\ufeffb"],
    ["a word joiner", "a\u2060b"],
    ["a combining grapheme joiner", "a\u034fb"],
    ["a Hangul filler", "a\u3164b"],
    ["a tag character", "a\u{e0061}b"],
    ["a right-to-left override", "a\u202eb"],
    ["a right-to-left mark", "a\u200fb"],
    ["an Arabic letter mark", "a\u061cb"],
    ["an isolate", "a\u2066b"],
    ["a pattern of no dots", "a\u2800b"],
    ["an annotation", "a\ufff9b"],
    ["a joiner of hieroglyphs", "a\u{13430}b"],
    ["a character of private use", "a\ue000b"],
    ["a noncharacter", "a\uffffb"],
    ["a joiner between letters that do not join", "a\u200db"],
    ["many joiners", `a${"\u200d".repeat(6)}b`],
    ["a selector of no variant", "a\ufe0fb"],
    ["a selector for ideographs", "a\u{e0100}b"],
  ])("%s", (_, text) => {
    expect(refusalOf(text)).toContain("cannot be seen");
    expect(cleanName(text, 10)).toBe("ab");
  });

  test.each([
    ["joiners alone", "\u200d\u200c"],
    ["variation selectors alone", "\ufe0f"],
    ["an accent alone", "\u0301"],
  ])("%s", (_, text) => {
    expect(refusalOf(text)).toBe(message);
  });
});

test.each([
  ["an emoji of several", "\u{1f469}\u200d\u{1f680}"],
  ["a red heart", "\u2764\ufe0f"],
  ["a keycap", "1\ufe0f\u20e3"],
  ["an emoji with a tone of skin", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
  ["a word in Sinhala", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
  ["a variant of an ideograph", "\u845b\u{e0100}"],
  ["a Persian word", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
])("%s is a name", (_, text) => {
  expect(parseName(text, rules)).toBe(text);
  expect(cleanName(text, 10)).toBe(text);
});

test("a name that is too long is cut between two characters", () => {
  expect(cleanName(`${"a".repeat(9)}\u{1f600}`, 10)).toBe("a".repeat(9));
  expect(cleanName(`${"a".repeat(7)}\u{1f469}\u200d\u{1f680}`, 10)).toBe(
    `${"a".repeat(7)}\u{1f469}`,
  );
  expect(cleanName(`${"a".repeat(9)} b`, 10)).toBe("a".repeat(9));
  expect(cleanName("\u202e\u200b", 10)).toBe("");
});
