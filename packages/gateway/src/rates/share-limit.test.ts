// Limits over several instances that do not reach the database: each grants its share.
import { describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { type KeyLimits, noLimits } from "@turnpike/keys";
import { admitNow } from "../admit-now.fixture.ts";
import { RateLimiter } from "./limit-rates.ts";
import { shareCount } from "./share-limit.ts";
import type { LimitedCaller } from "./slice-book.ts";

function keyWith(limits: Partial<KeyLimits>, accountId = newId<AccountId>()): LimitedCaller {
  return { accountId, keyId: newId<ApiKeyId>(), limits: { ...noLimits, ...limits } };
}

/** Limiters of `instances` processes, as they share one key. */
function shared(instances: number, bounds = {}): RateLimiter[] {
  return Array.from(
    { length: instances },
    (_, rank) => new RateLimiter(bounds, { share: () => ({ instances, rank }) }),
  );
}

/** How many calls it admits that do not end, or that use what they expected. */
function countAdmitted(
  limiter: RateLimiter,
  caller: LimitedCaller,
  tokens: number,
  nowMs?: number,
) {
  let admitted = 0;
  try {
    for (; admitted < 1_000; admitted += 1) {
      const admission = admitNow(limiter, caller, tokens, nowMs);
      if (caller.limits.concurrency === undefined) admission.end(tokens);
    }
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
  }
  return admitted;
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

describe("over all instances that do not reach the database", () => {
  test("shares of any limit add up to it, whatever the id", () => {
    for (let instances = 1; instances <= 7; instances += 1) {
      for (let limit = 1; limit <= 20; limit += 1) {
        const id = newId<ApiKeyId>();
        const counts = Array.from({ length: instances }, (_, rank) =>
          shareCount(limit, id, { instances, rank }),
        );
        expect(sumOf(counts)).toBe(limit);
        expect(Math.max(...counts)).toBeGreaterThanOrEqual(1);
      }
    }
  });

  test("a limit below the number of instances is granted by different ones for different keys", () => {
    const granting = new Set<number>();
    const limiters = shared(3);
    for (let i = 0; i < 200; i += 1) {
      const key = keyWith({ requestsPerMinute: 1 });
      granting.add(limiters.findIndex((limiter) => countAdmitted(limiter, key, 0, 0) === 1));
    }
    expect(granting).toEqual(new Set([0, 1, 2]));
  });

  test.each([1, 2, 3, 5, 60])("%i requests per minute are never exceeded", (limit) => {
    const key = keyWith({ requestsPerMinute: limit });
    const limiters = shared(3);
    const countAll = (nowMs: number) =>
      sumOf(limiters.map((limiter) => countAdmitted(limiter, key, 0, nowMs)));
    expect(countAll(0)).toBe(limit);
    // Ten minutes later it is no more than ten times the limit in addition.
    let total = limit;
    for (let seconds = 1; seconds <= 600; seconds += 1) total += countAll(seconds * 1_000);
    expect(total).toBeLessThanOrEqual(11 * limit);
    expect(total).toBeGreaterThan(11 * limit - 4);
  });

  test("tokens per minute are divided, and the limit that is reported is the owner's", () => {
    const key = keyWith({ tokensPerMinute: 900 });
    const [first] = shared(3);
    const { headers } = first ? admitNow(first, key, 100, 0) : {};
    expect(headers).toMatchObject({
      "x-ratelimit-limit-tokens": "900",
      "x-ratelimit-remaining-tokens": "200",
      "x-ratelimit-reset-tokens": "20s",
    });
  });

  test("concurrent requests of a key and of an account are divided", () => {
    const wide = keyWith({ concurrency: 1_000 });
    const narrow = keyWith({ concurrency: 4 });
    const limiters = shared(3, { perAccount: 10 });
    for (const [caller, limit] of [
      [wide, 10],
      [narrow, 4],
    ] as const) {
      const admitted = limiters.map((limiter) => countAdmitted(limiter, caller, 0, 0));
      expect(sumOf(admitted)).toBe(limit);
      expect(Math.min(...admitted)).toBe(Math.floor(limit / 3));
    }
  });

  test("a new instance takes its part of what is left, and a departure does not add anything immediately", () => {
    let share = { instances: 1, rank: 0 };
    const limiter = new RateLimiter({}, { share: () => share });
    const key = keyWith({ requestsPerMinute: 60 });
    expect(countAdmitted(limiter, keyWith({ requestsPerMinute: 60 }), 0, 0)).toBe(60);
    for (let calls = 0; calls < 20; calls += 1) admitNow(limiter, key, 0, 0);
    share = { instances: 2, rank: 0 };
    expect(countAdmitted(limiter, key, 0, 0)).toBe(30);
    share = { instances: 1, rank: 0 };
    expect(countAdmitted(limiter, key, 0, 0)).toBe(0);
    expect(countAdmitted(limiter, key, 0, 1_000)).toBe(1);
  });
});
