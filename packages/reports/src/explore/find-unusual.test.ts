// A day is marked for being unlike the others, not for being the largest of similar days.
import { expect, test } from "bun:test";
import { findUnusual, medianOf } from "./find-unusual.ts";

const indexes = (values: readonly number[], isLastRunning = false) =>
  findUnusual(values.map(BigInt), isLastRunning).map(({ index }) => index);

test("a day far above the others is found, with what is usual", () => {
  const values = [100n, 110n, 95n, 105n, 900n, 100n, 98n];
  expect(findUnusual(values, false)).toEqual([{ index: 4, usual: 100n }]);
});

test("a day far below the others is found too, unless it is not over", () => {
  expect(indexes([100, 110, 95, 105, 100, 98, 102, 3])).toEqual([7]);
  expect(indexes([100, 110, 95, 105, 100, 98, 102, 3], true)).toEqual([]);
  expect(indexes([100, 110, 95, 105, 100, 98, 102, 400], true)).toEqual([7]);
});

test("days that vary as usual, weekends included, are not marked", () => {
  expect(indexes([100, 120, 90, 140, 110, 95, 130])).toEqual([]);
  const weeks = Array.from({ length: 28 }, (_, day) => (day % 7 < 5 ? 100 + day : 20 + day));
  expect(indexes(weeks)).toEqual([]);
  expect(indexes(weeks.with(12, 120))).toEqual([12]);
});

test("days that are all alike but one by a little are not marked", () => {
  expect(indexes([100, 100, 100, 100, 100, 100, 101])).toEqual([]);
});

test("days before the first use are not counted, and an account used now and then has no usual day", () => {
  const unused = Array<number>(20).fill(0);
  expect(indexes([...unused, 100, 101, 102, 100, 101, 102, 100, 101])).toEqual([]);
  expect(indexes([...unused, 100, 101, 102, 100, 901, 102, 100, 101])).toEqual([24]);
  expect(indexes([0, 0, 0, 100, 0, 100, 50, 0, 0, 0, 0, 90, 0, 0])).toEqual([]);
});

test("fewer than seven days have no usual one", () => {
  expect(indexes([1, 1, 1, 1, 1, 900])).toEqual([]);
});

test("the furthest from usual comes first", () => {
  expect(indexes([100, 400, 95, 105, 100, 900, 98, 101, 99])).toEqual([5, 1]);
});

test("the median of an even count is the lower one of the two in the middle", () => {
  expect(medianOf([4n, 1n, 3n, 2n])).toBe(2n);
  expect(medianOf([])).toBe(0n);
});
