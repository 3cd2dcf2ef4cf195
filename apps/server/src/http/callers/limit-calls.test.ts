import { expect, setSystemTime, test } from "bun:test";
import { createCallLimiter } from "./limit-calls.ts";

test("a burst is served, then calls at the rate of the limit, and no caller affects another", () => {
  let now = 0;
  const limiter = createCallLimiter({ perSecond: 10, burst: 3 }, () => now);
  const take = (caller: string, calls = 1) => limiter.take(caller, calls);
  expect([take("ada"), take("ada"), take("ada"), take("ada")]).toEqual([0, 0, 0, 100]);
  expect(take("eve", 3)).toBe(0);
  now = 50;
  expect(take("ada")).toBe(50);
  now = 100;
  expect(take("ada")).toBe(0);
  now = 60_000;
  expect([take("ada", 3), take("ada")]).toEqual([0, 100]);
});

test("a batch counts as the calls it carries", () => {
  const limiter = createCallLimiter({ perSecond: 10, burst: 10 }, () => 0);
  expect(limiter.take("ada", 8)).toBe(0);
  expect(limiter.take("ada", 3)).toBe(100);
  expect(limiter.take("ada", 2)).toBe(0);
});

test("the limit is divided among the live instances, and at least one call is allowed", () => {
  let instances = 2;
  const limiter = createCallLimiter(
    { perSecond: 10, burst: 4 },
    () => 0,
    () => instances,
  );
  const take = (caller: string) => limiter.take(caller, 1);
  expect([take("ada"), take("ada"), take("ada")]).toEqual([0, 0, 200]);
  instances = 8;
  expect([take("eve"), take("eve")]).toEqual([0, 800]);
});

test("T7: a clock that is set back by an hour keeps no caller waiting for an hour", () => {
  const limiter = createCallLimiter({ perSecond: 1, burst: 60 });
  expect(limiter.take("ada", 1)).toBe(0);
  setSystemTime(new Date(Date.now() - 3_600_000));
  try {
    expect(limiter.take("ada", 1)).toBe(0);
  } finally {
    setSystemTime();
  }
});
