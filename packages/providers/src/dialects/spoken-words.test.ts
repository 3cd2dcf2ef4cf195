// Words with times become segments that a caption can have: a sentence of one speaker, never too long, with nothing left out.
import { expect, test } from "bun:test";
import { joinWords, type SpokenWord } from "./spoken-words.ts";

/** Each lasts as many seconds as it says, or half of one. */
function say(text: string, speakers: readonly string[] = [], pauses: readonly number[] = []) {
  let at = 0;
  return text.split(" ").map((word, index): SpokenWord => {
    const start = at + (pauses[index] ?? 0);
    at = start + 0.5;
    return { text: ` ${word}`, start, end: at, speaker: speakers[index] };
  });
}
const textsOf = (words: readonly SpokenWord[]) => joinWords(words).map(({ text }) => text);

test.each([
  ["a sentence", "Hello there. How are you? Fine!", ["Hello there.", "How are you?", "Fine!"]],
  ["a sentence in quotes", 'He said "No." Then he left.', ['He said "No."', "Then he left."]],
  ["a sentence without spaces", "你好。 再见", ["你好。", "再见"]],
])("%s ends a segment", (_what, text, segments) => {
  expect(textsOf(say(text))).toEqual(segments);
});

test("another speaker begins a segment, and so does a pause", () => {
  expect(textsOf(say("yes no maybe", ["a", "b", "b"]))).toEqual(["yes", "no maybe"]);
  expect(textsOf(say("yes no maybe", [], [0, 0, 1.5]))).toEqual(["yes no", "maybe"]);
});

test("a segment has the times of its first and its last word", () => {
  const [first, second] = joinWords(say("Well then. Go on"));
  expect([first?.start, first?.end, second?.start, second?.end]).toEqual([0, 1, 1, 2]);
});

test("a segment has at most 84 characters and seven seconds, and all of them have every word", () => {
  const long = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
  const segments = joinWords(say(long));
  for (const { text, start, end } of segments) {
    expect(text.length).toBeLessThanOrEqual(84);
    expect(end - start).toBeLessThanOrEqual(7);
  }
  expect(segments.map(({ text }) => text).join(" ")).toBe(long);
  const wide = joinWords(say(`${"x".repeat(50)} ${"y".repeat(50)}`));
  expect(wide.length).toBe(2);
});
