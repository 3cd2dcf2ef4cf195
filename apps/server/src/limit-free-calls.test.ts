// Which refused and cached calls are stored, with the test's own clock.
import { expect, test } from "bun:test";
import { type AccountId, type GenerationId, newId } from "@turnpike/base";
import { type CallFacts, createCallFacts } from "@turnpike/ledger";
import { freeRowLimits, limitFreeCalls } from "./limit-free-calls.ts";

const hourMs = 3_600_000;
const { refused: refusedLimit, cached: cachedLimit } = freeRowLimits;

function openLog({ instances = 1, clockIsWrong = false } = {}) {
  const stored: CallFacts[] = [];
  let nowMs = 0;
  let leftOut = 0;
  const log = limitFreeCalls(
    {
      heartbeat: { clockIsWrong: () => clockIsWrong, share: () => ({ instances, rank: 0 }) },
      freeCalls: { record: (free) => stored.push(free) },
      metrics: {
        freeCallNotLogged: () => {
          leftOut += 1;
        },
      },
    },
    () => nowMs,
  );
  return {
    stored,
    leftOut: () => leftOut,
    wait(ms: number) {
      nowMs += ms;
    },
    record(count: number, call: CallFacts) {
      for (let n = 0; n < count; n += 1) log.record(call);
    },
  };
}

function refusedCall(accountId = newId<AccountId>()): CallFacts {
  const errorCode = "insufficient_quota";
  return createCallFacts({ id: newId<GenerationId>(), accountId, keyId: null, errorCode });
}

function cachedCall(accountId: AccountId): CallFacts {
  return { ...refusedCall(accountId), errorCode: null };
}

test("an account's refused calls are stored up to a rate, and the rest are counted", () => {
  const log = openLog();
  const call = refusedCall();
  log.record(refusedLimit.burst + 7, call);
  expect([log.stored.length, log.leftOut()]).toEqual([refusedLimit.burst, 7]);
  log.record(1, refusedCall());
  expect(log.stored).toHaveLength(refusedLimit.burst + 1);
  log.wait(hourMs / 600);
  log.record(2, call);
  expect([log.stored.length, log.leftOut()]).toEqual([refusedLimit.burst + 2, 8]);
});

test("answers from the cache have their own rate", () => {
  const log = openLog();
  const refused = refusedCall();
  log.record(refusedLimit.burst, refused);
  log.record(cachedLimit.burst + 3, cachedCall(refused.accountId));
  expect(log.stored).toHaveLength(refusedLimit.burst + cachedLimit.burst);
  expect(log.leftOut()).toBe(3);
});

test("instances divide the rate among them", () => {
  const log = openLog({ instances: 3 });
  log.record(refusedLimit.burst, refusedCall());
  expect(log.stored).toHaveLength(refusedLimit.burst / 3);
});

test("with a wrong clock nothing is stored: the row would belong to another month", () => {
  const log = openLog({ clockIsWrong: true });
  log.record(1, refusedCall());
  expect(log.stored).toEqual([]);
});
