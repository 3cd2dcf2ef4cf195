// How far this machine's clock is from the database's: the answer is assumed to be halfway between.
import { afterAll, expect, spyOn, test } from "bun:test";
import { estimateClock } from "./heartbeat-state.ts";

const now = spyOn(performance, "now");
afterAll(() => now.mockRestore());

test("the database's time is that of the midpoint between request and response", () => {
  now.mockReturnValue(10_500);
  const sample = { databaseNowMs: 1_000_000, askedAtMs: 9_000, answeredAtMs: 10_000 };
  // A second after the middle.
  expect(estimateClock(sample, () => 1_001_000)).toEqual({ offsetMs: 0, wrong: false });
  expect(estimateClock(sample, () => 1_001_030).offsetMs).toBe(30);
  expect(estimateClock(sample, () => 1_000_970).offsetMs).toBe(-30);
});

test("a clock is wrong only beyond the uncertainty of a slow response", () => {
  now.mockReturnValue(10_000);
  const quick = { databaseNowMs: 0, askedAtMs: 10_000, answeredAtMs: 10_000 };
  let limitMs = 0;
  while (!estimateClock(quick, () => limitMs + 1).wrong) limitMs += 1;
  expect(limitMs).toBeGreaterThan(0);
  expect(estimateClock(quick, () => -limitMs).wrong).toBe(false);
  expect(estimateClock(quick, () => -limitMs - 1).wrong).toBe(true);
  // Half of 200 ms, on top.
  const slow = { databaseNowMs: -100, askedAtMs: 9_800, answeredAtMs: 10_000 };
  expect(estimateClock(slow, () => limitMs + 100).wrong).toBe(false);
  expect(estimateClock(slow, () => limitMs + 101).wrong).toBe(true);
});
