// Counters under concurrency, and how they expire.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { forgive, throttle } from "@turnpike/accounts";
import { faultCodeOf, faultIn, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { countGuess, forgetGuesses } from "./slow-guessing.ts";
import { scaleThrottles, throttleLimits } from "./throttle-limits.ts";

let bed: TestAuth;

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

const limit = { max: 3, windowMs: 60_000 };

describe("throttle", () => {
  test("admits exactly the allowed number of concurrent attempts", async () => {
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => faultCodeOf(throttle(bed.db, limit, "at-once"))),
    );
    expect(codes.filter((code) => code === "no fault")).toHaveLength(3);
    expect(codes.filter((code) => code === "throttled")).toHaveLength(17);
  });

  test("returns how long to wait, and allows attempts again when the window has passed", async () => {
    for (let n = 0; n < 3; n += 1) await throttle(bed.db, limit, "window");
    await bed.sql`update throttles set since = now() - interval '20 seconds'
                   where bucket = 'window'`;
    const waitMs = (await faultIn(throttle(bed.db, limit, "window")))?.details.retryAfterMs ?? 0;
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(40_000);
    await bed.sql`update throttles set since = now() - interval '61 seconds'
                   where bucket = 'window'`;
    for (let n = 0; n < 3; n += 1) await throttle(bed.db, limit, "window");
    expect(await faultCodeOf(throttle(bed.db, limit, "window"))).toBe("throttled");
  });

  test("an attempt that is forgiven does not count", async () => {
    for (let n = 0; n < 10; n += 1) {
      await throttle(bed.db, limit, "forgiven");
      await forgive(bed.db, "forgiven");
    }
    expect(await faultCodeOf(throttle(bed.db, limit, "forgiven"))).toBe("no fault");
  });
});

describe("countGuess", () => {
  const rule = { free: 2, delayMinMs: 1_000, delayMaxMs: 5_000, forgetMs: 60_000 };
  const skipWait = () =>
    bed.sql`update throttles set blocked_until = now() where bucket like 'g-%'`;

  test("waits double up to the longest and never beyond, however many attempts there are", async () => {
    const waits: number[] = [];
    await countGuess(bed.db, rule, "g-double");
    for (let n = 0; n < 7; n += 1) {
      await countGuess(bed.db, rule, "g-double");
      const fault = await faultIn(countGuess(bed.db, rule, "g-double"));
      waits.push(Math.ceil((fault?.details.retryAfterMs ?? 0) / 1_000));
      await skipWait();
    }
    expect(waits).toEqual([1, 2, 4, 5, 5, 5, 5]);
    await bed.sql`update throttles set count = 100000, blocked_until = null
                   where bucket = 'g-double'`;
    expect(await faultCodeOf(countGuess(bed.db, rule, "g-double"))).toBe("no fault");
    await forgetGuesses(bed.db, "g-double");
    expect(await faultCodeOf(countGuess(bed.db, rule, "g-double"))).toBe("no fault");
  });

  test("a refused attempt does not lengthen the wait", async () => {
    for (let n = 0; n < 2; n += 1) await countGuess(bed.db, rule, "g-refused");
    for (let n = 0; n < 5; n += 1) await faultIn(countGuess(bed.db, rule, "g-refused"));
    const [row] = await bed.sql`select count from throttles where bucket = 'g-refused'`;
    expect(row?.count).toBe(2);
  });

  test("a long time without attempts starts the count again", async () => {
    for (let n = 0; n < 2; n += 1) await countGuess(bed.db, rule, "g-silence");
    await bed.sql`update throttles set since = now() - interval '61 seconds'
                   where bucket = 'g-silence'`;
    expect(await faultCodeOf(countGuess(bed.db, rule, "g-silence"))).toBe("no fault");
    expect(await faultCodeOf(countGuess(bed.db, rule, "g-silence"))).toBe("no fault");
  });
});

test("scaled limits are multiplied by the factor and never zero", () => {
  const scaled = scaleThrottles(throttleLimits, 10);
  expect(scaled.signUpPerAddress).toEqual({ max: 50, windowMs: 3_600_000 });
  expect(scaled.loginPerPerson).toMatchObject({ free: 100, delayMinMs: 1_000 });
  expect(scaleThrottles(throttleLimits, 0.0001).signUpPerAddress.max).toBe(1);
});
