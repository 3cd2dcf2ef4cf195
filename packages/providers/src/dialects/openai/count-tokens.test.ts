// How many tokens a streamed delta counts as. Too few gives output away when a client disconnects, too
// many bills output that was never written.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { countDelta, estimateTokens } from "./count-tokens.ts";

test("a delta that can be one token counts as one", () => {
  const deltas = [
    " lamps",
    "\n\n",
    "}",
    " ",
    "ძ",
    " disproportionately",
    " 2026",
    ");\n",
    "   the",
  ];
  // The longest of OpenAI's vocabularies: words, and runs of one character.
  deltas.push(".translatesAutoresizingMaskIntoConstraints", " สำนักเลขานุการองค์กร");
  deltas.push(" ".repeat(128), "-".repeat(112), `//${"-".repeat(112)}`);
  for (const delta of deltas) expect(countDelta(delta, "one"), delta).toBe(1);
});

test("a delta that holds several words is estimated by its text, at least two", () => {
  expect(countDelta("a b", "one")).toBe(2);
  expect(countDelta(" the ferryman counted twelve lamps", "one")).toBe(9);
  expect(countDelta('{"city": "Paris", "unit": "c"}', "one")).toBe(8);
});

test("a delta longer than a token can be is estimated by its text", () => {
  expect(countDelta("x".repeat(65), "one")).toBe(17);
  expect(countDelta("今天天气很好我们去公园散步吧今天天气很好我们", "one")).toBe(17);
  expect(countDelta("=".repeat(129), "one")).toBe(33);
});

test("nothing counts as nothing, and a burst is always estimated", () => {
  for (const size of ["one", "many"] as const) expect(countDelta("", size)).toBe(0);
  expect(countDelta(" disproportionately", "many")).toBe(5);
});

test("however a provider splits its answer, a stream never counts as fewer tokens than its words", () => {
  const answer = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 40 });
  const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(answer, cuts, (words, sizes) => {
      const text = words.map((word) => ` ${word}`).join("");
      let counted = 0;
      for (let at = 0, index = 0; at < text.length; index += 1) {
        const end = at + (sizes[index % sizes.length] ?? 1);
        counted += countDelta(text.slice(at, end), "one");
        at = end;
      }
      // By four bytes a token, as for every provider whose deltas hold several.
      expect(counted).toBeGreaterThanOrEqual(
        Math.min(words.length, estimateTokens(text.length)) / 2,
      );
    }),
  );
});
