// Limits of keys and accounts over several instances, none of which can see what the others count.
import { describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { type KeyLimits, noLimits } from "@turnpike/keys";
import { type LimitedCaller, RateLimiter } from "./limit-rates.ts";
import { shareCount } from "./share-limit.ts";

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

function refusalOf(admit: () => unknown): Fault {
  try {
    admit();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
  }
  throw new Error("it was admitted");
}

describe("over all instances", () => {
  test("shares of any limit add up to it, whatever the id", () => {
    for (let instances = 1; instances <= 7; instances += 1) {
      for (let limit = 1; limit <= 20; limit += 1) {
        const id = newId<ApiKeyId>();
        const counts = Array.from({ length: instances }, (_, rank) =>
          shareCount(limit, id, { instances, rank }),
        );
        expect(counts.reduce((sum, count) => sum + count)).toBe(limit);
        expect(Math.max(...counts)).toBeGreaterThanOrEqual(1);
      }
    }
  });

  test("a limit below the number of instances is granted by different ones for different keys", () => {
    const counting = new Set<number>();
    const granting = new Set<number>();
    const limiters = shared(3);
    for (let i = 0; i < 200; i += 1) {
      const id = newId<ApiKeyId>();
      const counts = [0, 1, 2].map((rank) => shareCount(1, id, { instances: 3, rank }));
      counting.add(counts.indexOf(1));
      const key = keyWith({ requestsPerMinute: 1 });
      granting.add(limiters.findIndex((limiter) => countAdmitted(limiter, key, 0) === 1));
    }
    expect(counting).toEqual(new Set([0, 1, 2]));
    expect(granting).toEqual(new Set([0, 1, 2]));
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

  test("a rate below the number of instances belongs to one of them each minute, then to the next", () => {
    for (const limit of [1, 2]) {
      const key = keyWith({ requestsPerMinute: limit });
      const limiters = shared(3);
      const minutes = [0, 1, 2, 3, 4, 5].map((minute) =>
        limiters.map((limiter) => countAdmitted(limiter, key, 0, minute * 60_000 + 59_999)),
      );
      for (const admitted of minutes) expect(admitted.toSorted()).toEqual([0, 0, limit]);
      const owners = minutes.map((admitted) => admitted.indexOf(limit));
      expect(new Set(owners.slice(0, 3)).size).toBe(3);
      expect(owners.slice(3)).toEqual(owners.slice(0, 3));
    }
  });

  test("a client that waits as long as its instance says is served by that instance", () => {
    for (const startMs of [0, 1, 59_999, 60_000, 1_000_000]) {
      const key = keyWith({ requestsPerMinute: 1 });
      for (const limiter of shared(3)) {
        let nowMs = startMs;
        let served = countAdmitted(limiter, key, 0, nowMs);
        for (let asked = 1; asked <= 4; asked += 1) {
          const { details } = refusalOf(() => limiter.admit(key, 0, nowMs));
          nowMs += details.retryAfterMs ?? 0;
          served += countAdmitted(limiter, key, 0, nowMs);
          expect(served).toBeGreaterThanOrEqual(asked);
        }
        // Three instances take turns, so it is not told to wait for longer than three minutes either.
        expect(nowMs - startMs).toBeLessThanOrEqual(4 * 180_000);
        expect(served).toBeLessThanOrEqual(5);
      }
    }
  });

  test("outside its turn an instance closes the connection, since another may grant at once", () => {
    const key = keyWith({ requestsPerMinute: 1 });
    const limiters = shared(3);
    const [owner] = limiters.filter((limiter) => countAdmitted(limiter, key, 0) === 1);
    for (const limiter of limiters) {
      const { headers } = refusalOf(() => limiter.admit(key, 0, 0)).details;
      expect(headers?.connection).toBe(limiter === owner ? undefined : "close");
      expect(headers).toMatchObject({
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
      });
    }
  });

  test("an instance whose turn moves as others start or end grants nothing twice", () => {
    const key = keyWith({ requestsPerMinute: 1 });
    for (const rank of [0, 1, 2]) {
      let share = { instances: 3, rank };
      const limiter = new RateLimiter({}, () => share);
      let ownMs = 0;
      while (countAdmitted(limiter, key, 0, ownMs) === 0) ownMs += 60_000;
      for (const instances of [4, 5, 6, 7]) {
        share = { instances, rank };
        expect(countAdmitted(limiter, key, 0, ownMs)).toBe(0);
      }
      const { retryAfterMs = 0 } = refusalOf(() => limiter.admit(key, 0, ownMs)).details;
      expect(countAdmitted(limiter, key, 0, ownMs + retryAfterMs)).toBe(1);
    }
  });

  test("when instances leave, a key gets no more than its new share as it refills", () => {
    let share = { instances: 3, rank: 0 };
    const limiter = new RateLimiter({}, () => share);
    const key = keyWith({ requestsPerMinute: 2 });
    const ownMs = [0, 60_000, 120_000].find((ms) => countAdmitted(limiter, key, 0, ms) === 2);
    if (ownMs === undefined) throw new Error("it never owned the limit");
    share = { instances: 2, rank: 0 };
    expect(countAdmitted(limiter, key, 0, ownMs)).toBe(0);
    expect(countAdmitted(limiter, key, 0, ownMs + 60_000)).toBe(1);
  });

  test("tokens used beyond what was expected are paid by the turns that follow", () => {
    const limiter = new RateLimiter(
      {},
      () => ({ instances: 20, rank: 0 }),
      () => nowMs,
    );
    const key = keyWith({ tokensPerMinute: 10 });
    let nowMs = 0;
    while (countAdmitted(limiter, key, 10, nowMs) === 0) nowMs += 60_000;
    const wait = () => {
      const { retryAfterMs = 0 } = refusalOf(() => limiter.admit(key, 10, nowMs)).details;
      nowMs += retryAfterMs;
      return retryAfterMs;
    };
    expect(wait()).toBe(20 * 60_000);
    limiter.admit(key, 10, nowMs).end(30);
    expect(wait()).toBe(3 * 20 * 60_000);
    limiter.admit(key, 10, nowMs).end(10);
    expect(wait()).toBe(20 * 60_000);
  });

  test.each([2, 3])(
    "one concurrent request belongs to one of %i instances, now and later; the others say so",
    (instances) => {
      const key = keyWith({ concurrency: 1 });
      const limiters = shared(instances);
      const owner = limiters.find((limiter) => countAdmitted(limiter, key, 0) > 0);
      // It may outlast any turn: no other instance runs one meanwhile.
      owner?.admit(key, 0, 0);
      for (let minute = 0; minute < 10; minute += 1) {
        for (const limiter of limiters) {
          const { message, details } = refusalOf(() => limiter.admit(key, 0, minute * 60_000));
          const isOwner = limiter === owner;
          expect(details.retryAfterMs).toBe(isOwner ? 1_000 : 5_000);
          expect(details.headers?.connection).toBe(isOwner ? undefined : "close");
          expect(message.includes("none of which this server grants")).toBe(!isOwner);
          expect(details.metadata).toMatchObject({ limit: "1 concurrent requests" });
        }
      }
    },
  );

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
