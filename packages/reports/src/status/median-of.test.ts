// The median of first-token times is estimated from counts by bound.
import { expect, test } from "bun:test";
import { firstTokenBoundsMs } from "@turnpike/db";
import { medianOf } from "./model-figures.ts";

const counts = (...given: readonly (readonly [bucket: number, count: number])[]) => {
  const all = new Array<number>(firstTokenBoundsMs.length + 1).fill(0);
  for (const [bucket, count] of given) all[bucket] = count;
  return all;
};

test.each([
  ["nothing was counted", counts(), undefined],
  ["one count lies in the middle of its bounds", counts([1, 1]), 150],
  ["half of the counts lie below", counts([0, 10], [3, 10]), 100],
  ["most counts lie in one bucket", counts([0, 1], [2, 98], [5, 1]), 250],
  ["all were later than the last bound", counts([firstTokenBoundsMs.length, 3]), 60_000],
])("%s", (_, given, expected) => {
  expect(medianOf(given)).toBe(expected);
});
