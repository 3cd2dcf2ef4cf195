// What was used of a limit and what an instance has in hand of it, when its owner lowers or raises it.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { type AccountId, type ApiKeyId, Fault, type InstanceId, newId } from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { openRateBuckets } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { RateLimiter } from "./limit-rates.ts";
import type { LimitedCaller } from "./slice-book.ts";

setDefaultTimeout(180_000);

let database: TestDatabase;
let limiters: readonly [RateLimiter, RateLimiter];
const log = createLog({ level: "silent", name: "test" });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  limiters = [openLimiter(0), openLimiter(1)];
});
afterEach(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()));
});
afterAll(() => database.drop());

function openLimiter(rank: number): RateLimiter {
  const instanceId = newId<InstanceId>();
  const buckets = openRateBuckets({ url: database.url, instanceId, silentMs: 60_000 });
  const share = () => ({ instances: 2, rank });
  // So that a busy machine does not fall back on shares.
  return new RateLimiter({}, { share, database: { buckets, waitMs: 60_000, log } });
}

function newKey(): (requestsPerMinute: number) => LimitedCaller {
  const ids = { accountId: newId<AccountId>(), keyId: newId<ApiKeyId>() };
  return (requestsPerMinute) => ({ ...ids, limits: { ...noLimits, requestsPerMinute } });
}

/** True if it was admitted; the call ends immediately. */
async function isAdmitted(limiter: RateLimiter, caller: LimitedCaller): Promise<boolean> {
  try {
    const admission = await limiter.admit(caller, 1);
    admission.end(1);
    return true;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "rate_limit_exceeded") return false;
    throw thrown;
  }
}

async function countAdmitted(limiter: RateLimiter, caller: LimitedCaller, calls: number) {
  let admitted = 0;
  for (let call = 0; call < calls; call += 1) {
    if (await isAdmitted(limiter, caller)) admitted += 1;
  }
  return admitted;
}

test("what an instance took of a limit in advance is not granted beyond a lower one", async () => {
  const keyOf = newKey();
  const [first, second] = limiters;
  const high = keyOf(60_000);
  expect(await countAdmitted(first, high, 400)).toBe(400);
  const low = keyOf(10);
  const admitted = (await countAdmitted(first, low, 100)) + (await countAdmitted(second, low, 100));
  expect(admitted).toBeLessThanOrEqual(10);
});

test("a limit that was used up and is lowered is granted again as it refills", async () => {
  const keyOf = newKey();
  const [first, second] = limiters;
  const high = keyOf(3_000);
  while (await isAdmitted(first, high));
  const low = keyOf(60);
  expect(await countAdmitted(first, low, 100)).toBeLessThanOrEqual(2);
  for (const limiter of [second, first])
    while (!(await isAdmitted(limiter, low))) await Bun.sleep(20);
});

test("a limit that is raised is granted immediately", async () => {
  const keyOf = newKey();
  const [first, second] = limiters;
  expect(await countAdmitted(first, keyOf(2), 10)).toBe(2);
  expect(await countAdmitted(second, keyOf(12), 20)).toBe(10);
});
