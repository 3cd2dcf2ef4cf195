// A key's text proves that it was created here and not mistyped, and reveals nothing when masked.

import { describe, expect, test } from "bun:test";
import { hashApiKey, isApiKeyText, makeApiKeyText, maskApiKey } from "./api-key-format.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("API key text", () => {
  test("a minted key has the published form and a valid checksum", () => {
    for (let n = 0; n < 200; n += 1) {
      const key = makeApiKeyText();
      expect(key).toMatch(/^sk-tp-[0-9A-Za-z]{49}$/);
      expect(isApiKeyText(key)).toBe(true);
    }
  });

  test("one changed character anywhere is detected", () => {
    const key = makeApiKeyText();
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === "a" ? "b" : "a";
      expect(isApiKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  test("two swapped neighbors are detected", () => {
    const key = makeApiKeyText();
    for (let at = 6; at < key.length - 1; at += 1) {
      const [left = "", right = ""] = key.slice(at, at + 2);
      if (left === right) continue;
      expect(isApiKeyText(key.slice(0, at) + right + left + key.slice(at + 2))).toBe(false);
    }
  });

  test.each([
    ["nothing", ""],
    ["the bare prefix", "sk-tp-"],
    ["another vendor's key", "sk-proj-abc"],
    ["100,000 characters", "x".repeat(100_000)],
    ["a letter outside base62", "sk-tp-é".padEnd(55, "0")],
  ])("%s is not a key", (_, text) => {
    expect(isApiKeyText(text)).toBe(false);
  });

  test("a key with a space or a line break around it is not a key", () => {
    const key = makeApiKeyText();
    for (const text of [` ${key}`, `${key} `, `${key}\n`]) expect(isApiKeyText(text)).toBe(false);
  });

  test("the checksum is base62 of the CRC32 of everything before it", () => {
    const key = makeApiKeyText();
    const value = [...key.slice(-6)].reduce((sum, char) => sum * 62 + alphabet.indexOf(char), 0);
    expect(value).toBe(Bun.hash.crc32(key.slice(0, -6)));
  });

  test("every character is equally likely", () => {
    const counts = new Map<string, number>();
    const keys = 4_000;
    for (let n = 0; n < keys; n += 1) {
      for (const char of makeApiKeyText().slice(6, 49)) {
        counts.set(char, (counts.get(char) ?? 0) + 1);
      }
    }
    // Chi-squared with 61 degrees of freedom stays below 150 but for one run in a billion;
    // taking bytes modulo 62 without rejecting any would score about 3,000.
    const expected = (keys * 43) / 62;
    const score = [...alphabet]
      .map((char) => ((counts.get(char) ?? 0) - expected) ** 2 / expected)
      .reduce((sum, part) => sum + part, 0);
    expect(score).toBeLessThan(150);
  });

  test("a mask shows eight of 49 characters, a hash none", () => {
    const key = makeApiKeyText();
    expect(maskApiKey(key)).toBe(`sk-tp-${key.slice(6, 10)}…${key.slice(-4)}`);
    expect(hashApiKey("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});
