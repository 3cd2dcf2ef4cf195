// What is remembered of each provider's refusals, and how much of it.
import { expect, test } from "bun:test";
import { sampleProvider } from "./dialects/openai/sample-call.fixture.ts";
import { rememberRefused, wasRefused } from "./refused-parts.ts";

test("a refusal is remembered for its provider alone, and the oldest of too many are forgotten", () => {
  const [first, second] = [sampleProvider("openai"), sampleProvider("openai")];
  const asks = (name: string) => [first, second].map((each) => wasRefused(each, () => name));
  expect(asks("a")).toEqual([false, false]);
  rememberRefused(first, ["a", "b"]);
  expect([asks("a"), asks("b")]).toEqual([
    [true, false],
    [true, false],
  ]);
  rememberRefused(
    first,
    Array.from({ length: 9_999 }, (_, index) => `part ${index}`),
  );
  expect([asks("a"), asks("b"), asks("part 9998")]).toEqual([
    [false, false],
    [true, false],
    [true, false],
  ]);
});

test("a provider that has refused nothing costs no name", () => {
  const name = () => {
    throw new Error("not asked for");
  };
  expect(wasRefused(sampleProvider("openai"), name)).toBe(false);
});
