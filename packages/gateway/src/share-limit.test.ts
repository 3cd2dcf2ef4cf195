// Limits of keys and accounts over several instances, none of which can see what the others count.
import { describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { type KeyLimits, noLimits } from "@turnpike/keys";
import { type LimitedCaller, RateLimiter } from "./limit-rates.ts";
import { shareCount, shareRate } from "./share-limit.ts";

function keyWith(limits: Partial<KeyLimits>, accountId = newId<AccountId>()): LimitedCaller {
  return { accountId, keyId: newId<ApiKeyId>(), limits: { ...noLimits, ...limits } };
}

/** Limiters of `instances` processes, as they share one key. */
function shared(instances: number, bounds = {}): RateLimiter[] {
  return Array.from(
    { length: instances },
    (_, rank) => new RateLimiter(bounds, () => ({ instances, rank })),
  );
}

function countAdmitted(limiter: RateLimiter, caller: LimitedCaller, tokens: number, nowMs = 0) {
  let admitted = 0;
  try {
    for (; admitted < 1_000; admitted += 1) limiter.admit(caller, tokens, nowMs).end(tokens);
  } catch {}
  return admitted;
}

describe("over all instances", () => {
  test("shares of any limit add up to it, whatever the id", () => {
    for (let instances = 1; instances <= 7; instances += 1) {
      for (let limit = 1; limit <= 20; limit += 1) {
        const id = newId<ApiKeyId>();
        const ranks = Array.from({ length: instances }, (_, rank) => ({ instances, rank }));
        const counts = ranks.map((share) => shareCount(limit, id, share));
        const rates = ranks.map((share) => shareRate(limit, id, share));
        expect(counts.reduce((sum, count) => sum + count)).toBe(limit);
        expect(rates.reduce((sum, rate) => sum + rate)).toBeCloseTo(limit, 6);
        expect(Math.max(...counts)).toBeGreaterThanOrEqual(1);
        expect(rates.every((rate) => rate === 0 || rate >= 1)).toBe(true);
      }
    }
  });

  test("a limit below the number of instances is granted by different ones for different keys", () => {
    const owners = new Set<number>();
    for (let i = 0; i < 200; i += 1) {
      const id = newId<ApiKeyId>();
      owners.add([0, 1, 2].findIndex((rank) => shareCount(1, id, { instances: 3, rank }) === 1));
    }
    expect(owners).toEqual(new Set([0, 1, 2]));
  });

  test.each([1, 2, 3, 5, 60])(
    "%i requests per minute are never exceeded, and never zero",
    (limit) => {
      const key = keyWith({ requestsPerMinute: limit });
      const limiters = shared(3);
      const atStart = limiters.map((limiter) => countAdmitted(limiter, key, 0));
      const admitted = atStart.reduce((sum, count) => sum + count);
      expect(admitted).toBeLessThanOrEqual(limit);
      expect(admitted).toBeGreaterThan(limit - 3);
      expect(admitted).toBeGreaterThanOrEqual(1);
      // Ten minutes later it is no more than ten times the limit in addition.
      let total = admitted;
      for (let seconds = 1; seconds <= 600; seconds += 1) {
        for (const limiter of limiters) total += countAdmitted(limiter, key, 0, seconds * 1_000);
      }
      expect(total).toBeLessThanOrEqual(11 * limit);
      expect(total).toBeGreaterThan(11 * limit - 4);
    },
  );

  test("tokens per minute are divided, and the limit that is reported is the owner's", () => {
    const key = keyWith({ tokensPerMinute: 900 });
    const [first] = shared(3);
    const { headers } = first?.admit(key, 100, 0) ?? {};
    expect(headers).toMatchObject({
      "x-ratelimit-limit-tokens": "900",
      "x-ratelimit-remaining-tokens": "200",
      "x-ratelimit-reset-tokens": "20s",
    });
  });

  test("concurrent requests of a key and of an account are divided", () => {
    const accountId = newId<AccountId>();
    const wide = keyWith({ concurrency: 1_000 }, accountId);
    const narrow = keyWith({ concurrency: 4 });
    const admitOpen = (limiter: RateLimiter, caller: LimitedCaller) => {
      let admitted = 0;
      try {
        for (; admitted < 1_000; admitted += 1) limiter.admit(caller, 0, 0);
      } catch {}
      return admitted;
    };
    const limiters = shared(3, { perAccount: 10 });
    for (const [caller, limit] of [
      [wide, 10],
      [narrow, 4],
    ] as const) {
      const admitted = limiters.map((limiter) => admitOpen(limiter, caller));
      expect(admitted.reduce((sum, count) => sum + count)).toBe(limit);
      expect(Math.min(...admitted)).toBe(Math.floor(limit / 3));
    }
  });

  test("an instance without a share tells the client to retry soon at another one", () => {
    const key = keyWith({ requestsPerMinute: 1, concurrency: 1 });
    const refusals = shared(2).flatMap((limiter) => {
      try {
        limiter.admit(key, 0, 0);
        return [];
      } catch (thrown) {
        return thrown instanceof Fault ? [thrown] : [];
      }
    });
    expect(refusals).toHaveLength(1);
    expect(refusals[0]?.details.retryAfterMs).toBe(1_000);
    expect(refusals[0]?.details.headers?.connection).toBe("close");
  });

  test("a new instance takes its part of what is left, and a departure does not add anything immediately", () => {
    let share = { instances: 1, rank: 0 };
    const limiter = new RateLimiter({}, () => share);
    const key = keyWith({ requestsPerMinute: 60 });
    const remaining = (nowMs: number) =>
      Number(limiter.admit(key, 0, nowMs).headers["x-ratelimit-remaining-requests"]);
    expect(remaining(0)).toBe(59);
    share = { instances: 2, rank: 0 };
    expect(remaining(0)).toBe(29);
    share = { instances: 1, rank: 0 };
    expect(remaining(0)).toBe(28);
    expect(remaining(1_000)).toBe(28);
  });
});
