// The bound of a text by an unknown tokenizer: on a corpus of languages, code and white space never below what any of
// the recorded tokenizers makes of it, and English is hardly more than counted.
import { expect, setDefaultTimeout, test } from "bun:test";
import { readTextCorpus } from "@turnpike/testing";
import fc from "fast-check";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens as countP50k } from "gpt-tokenizer/encoding/p50k_base";
import { boundScript } from "./bound-script.ts";
import { countInTurns } from "./count-in-turns.ts";
import recorded from "./tokenizer-counts.json";

setDefaultTimeout(180_000);

const corpus = [...readTextCorpus()];
const counts = new Map(Object.entries(recorded.texts));

async function count(text: string, isBound: boolean): Promise<number> {
  const job = {
    text,
    encoding: "o200k_base",
    limit: Number.POSITIVE_INFINITY,
    account: "",
  } as const;
  return (await countInTurns({ ...job, isBound })).tokens;
}

test("the recorded tokenizers counted the texts of today's corpus", () => {
  expect([...counts.keys()].sort()).toEqual(corpus.map(([title]) => title).sort());
  for (const [title, text] of corpus) {
    const sha256 = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    expect(`${title} ${counts.get(title)?.sha256}`).toBe(`${title} ${sha256}`);
  }
});

test.each(corpus)("no tokenizer makes more of %s than its bound", async (title, text) => {
  const most = counts.get(title)?.tokens ?? Number.POSITIVE_INFINITY;
  const bound = await count(text, true);
  expect(bound).toBeGreaterThanOrEqual(most);
  expect(bound).toBeGreaterThanOrEqual(await count(text, false));
  expect(bound).toBeLessThanOrEqual(most * 2.5);
});

test("English is bounded by a third more than counted", async () => {
  const [, english = ""] = corpus.find(([title]) => title === "eng") ?? [];
  expect(await count(english, true)).toBeLessThanOrEqual((countO200k(english) * 4) / 3);
});

test.each([
  ["Georgian", "kat"],
  ["Khmer", "khm"],
  ["Amharic", "amh"],
])("the letters of %s count as their bytes", (_, language) => {
  const [, text = ""] = corpus.find(([title]) => title === language) ?? [];
  const letters = text.replace(/[^\p{L}\p{M}]/gu, "").slice(0, 100);
  expect(boundScript(letters, countO200k, countP50k)).toBe(Buffer.byteLength(letters));
});

/** The first and the last character of each class, and the tokens of twenty of them. */
const edges = [
  { first: 0x30, last: 0x39, twenty: 20 }, // digits
  { first: 0x250, last: 0x2af, twenty: 40 }, // two bytes each
  { first: 0x3ac, last: 0x3ce, twenty: 28 }, // Greek
  { first: 0x391, last: 0x3a9, twenty: 40 }, // Greek capitals
  { first: 0x430, last: 0x52f, twenty: 17 }, // Cyrillic
  { first: 0x400, last: 0x52e, twenty: 25 }, // Cyrillic capitals
  { first: 0x531, last: 0x586, twenty: 40 }, // Armenian
  { first: 0x590, last: 0x674, twenty: 28 }, // Hebrew and Arabic
  { first: 0x700, last: 0x7ff, twenty: 40 },
  { first: 0x800, last: 0x8ff, twenty: 60 }, // three bytes each
  { first: 0x900, last: 0x957, twenty: 29 }, // Devanagari
  { first: 0x980, last: 0xdff, twenty: 60 },
  { first: 0x1e01, last: 0x1eff, twenty: 30 }, // Vietnamese
  { first: 0x2010, last: 0x2023, twenty: 30 }, // punctuation
  { first: 0x3001, last: 0x30ff, twenty: 33 }, // Japanese
  { first: 0x4e00, last: 0x9fff, twenty: 35 }, // Chinese
  { first: 0xa000, last: 0xabff, twenty: 60 },
  { first: 0xac00, last: 0xd7a3, twenty: 45 }, // Korean
  { first: 0x10000, last: 0x10ffff, twenty: 80 }, // emoji and rare scripts
];

test.each(edges)("from $first to $last twenty characters have at most $twenty tokens", (edge) => {
  const none = () => 0;
  for (const point of [edge.first, edge.last]) {
    expect(boundScript(String.fromCodePoint(point).repeat(20), none, none)).toBe(edge.twenty);
  }
});

test("characters count as what they are read as in their compatible form", () => {
  // One character of three bytes that stands for eighteen.
  expect(
    boundScript(
      "\ufdfa",
      () => 0,
      () => 0,
    ),
  ).toBe(Buffer.byteLength("\ufdfa".normalize("NFKC")));
});

test("no text has fewer tokens than counted, or more than bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 64 }), (text) => {
      const bound = boundScript(text, countO200k, countP50k);
      const bytes = Math.max(
        ...[text, text.normalize("NFKC")].map((each) => Buffer.byteLength(each)),
      );
      expect(bound).toBeGreaterThanOrEqual(countO200k(text));
      expect(bound).toBeLessThanOrEqual(Math.max(bytes, countO200k(text)));
    }),
  );
});
