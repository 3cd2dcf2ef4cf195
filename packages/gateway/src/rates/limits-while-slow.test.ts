// With a PostgreSQL that answers later than calls wait, instances together grant no more than what it last said was
// left and what has refilled since, and tell their callers when the next call may be granted.
import { expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, type Fault, newId } from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import type { RateBuckets } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import { RateLimiter } from "./limit-rates.ts";
import { RateBucket } from "./rate-bucket.ts";
import { RateSlice } from "./rate-slice.ts";

const accountId = newId<AccountId>();
const log = createLog({ level: "silent", name: "test" });

const sliceOf = (limit: number, instances: number, rank: number) =>
  new RateSlice(
    { accountId, subjectId: accountId, kind: "account", dimension: "requests" },
    limit,
    { instances, rank },
    0,
  );

test("three instances that heard that 12 of 60 are left grant 12 at once, however unevenly they had used them", () => {
  const slices = [0, 1, 2].map((rank) => sliceOf(60, 3, rank));
  const granted = (nowMs: number) =>
    slices.map((slice, rank) => {
      let calls = 0;
      for (; slice.mayByShare(1, { instances: 3, rank }, nowMs); calls += 1) slice.take(1, nowMs);
      return calls;
    });
  // One of them had 48, which the database has counted.
  for (let call = 0; call < 48; call += 1) slices[0]?.start(1, 0);
  for (const slice of slices) slice.updateFromDatabase(12, 0);
  expect(granted(0)).toEqual([4, 4, 4]);
  expect(granted(0)).toEqual([0, 0, 0]);
  // 60 a minute, for all three.
  expect(granted(3_000)).toEqual([1, 1, 1]);
  expect(granted(9_000)).toEqual([2, 2, 2]);
  // A minute without calls refills each share, and no more.
  expect(granted(900_000)).toEqual([20, 20, 20]);
});

test("who had more than its share is told when its share has the next call, and not a minute", () => {
  const alone = sliceOf(60, 1, 0);
  for (let call = 0; call < 60; call += 1) alone.start(1, 0);
  alone.updateFromDatabase(0, 0);
  expect(alone.mayByShare(1, { instances: 1, rank: 0 }, 0)).toBe(false);
  expect(alone.waitMs(1, true, 0)).toBe(1_000);
  expect(alone.mayByShare(1, { instances: 1, rank: 0 }, 1_000)).toBe(true);

  const uneven = sliceOf(60, 3, 0);
  for (let call = 0; call < 60; call += 1) uneven.start(1, 0);
  uneven.updateFromDatabase(0, 0);
  expect(uneven.mayByShare(1, { instances: 3, rank: 0 }, 1_500)).toBe(false);
  expect(uneven.waitMs(1, true, 1_500)).toBe(1_500);
});

test("an instance without a share of a small limit says when the limit has the next call", () => {
  const ranks = [0, 1, 2, 3].map((rank) => sliceOf(2, 4, rank));
  const without = ranks.filter((slice, rank) => !slice.mayByShare(1, { instances: 4, rank }, 0));
  expect(without).toHaveLength(2);
  for (const slice of without) slice.updateFromDatabase(0, 0);
  expect(without.map((slice) => slice.waitMs(1, true, 0))).toEqual([30_000, 30_000]);
});

test("FR2: a limit that an instance knows nothing of is asked about, however slow the answer is", async () => {
  const asked = Promise.withResolvers<(remaining: number) => void>();
  const buckets: RateBuckets = {
    take: (changes, needs) =>
      new Promise((resolve) => {
        asked.resolve((remaining) =>
          resolve({
            refused: needs.map(({ call }) => call).map(() => 2),
            extra: changes.map(() => 0),
            remaining: changes.map(() => remaining),
          }),
        );
      }),
    close: async () => undefined,
  };
  const share = () => ({ instances: 3, rank: 0 });
  const limiter = new RateLimiter({}, { share, database: { buckets, waitMs: 1, log } });
  const caller = {
    accountId,
    keyId: newId<ApiKeyId>(),
    limits: { ...noLimits, requestsPerMinute: 60 },
  };
  const admitting = Promise.allSettled([limiter.admit(caller, 1)]);
  const answer = await asked.promise;
  // Later than the wait for a count: timers that are due run in their order, however busy this process is.
  const { promise: isLater, resolve } = Promise.withResolvers<void>();
  setTimeout(() => setImmediate(resolve), 20);
  await isLater;
  answer(0);
  const [outcome] = await admitting;
  expect(outcome?.status).toBe("rejected");
  const fault: Fault = outcome?.status === "rejected" ? outcome.reason : undefined;
  expect(fault.code).toBe("rate_limit_exceeded");
  expect(fault.details.retryAfterMs).toBeLessThanOrEqual(1_000);
  await limiter.close();
});

/** Numbers from 0 up to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("in any time a limit admits what it holds and what refills meanwhile: at most twice the limit in a minute", () => {
  const limit = 3_000;
  let mostInMinute = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomOf(seed);
    const bucket = new RateBucket(limit, limit, 0);
    const taken: { atMs: number; amount: number }[] = [];
    let nowMs = 0;
    for (let step = 0; step < 100; step += 1) {
      nowMs += random() < 0.5 ? 0 : Math.floor(random() * 20_000);
      const amount = 1 + Math.floor(random() * 900);
      if (bucket.level(nowMs) < amount) continue;
      bucket.take(amount, nowMs);
      taken.push({ atMs: nowMs, amount });
    }
    for (const [index, { atMs: fromMs }] of taken.entries()) {
      let sum = 0;
      for (const { atMs, amount } of taken.slice(index)) {
        sum += amount;
        const passedMs = atMs - fromMs;
        expect(sum).toBeLessThanOrEqual(limit + (limit * passedMs) / 60_000 + 1e-6);
        if (passedMs < 60_000) mostInMinute = Math.max(mostInMinute, sum);
      }
    }
  }
  // The bound is not merely larger than everything: more than the limit does pass in a minute.
  expect(mostInMinute).toBeGreaterThan(limit);
});
