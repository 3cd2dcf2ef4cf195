// While PostgreSQL is slow or away, limits are neither open nor a reason to fail: each instance grants its share,
// and tells the database afterwards.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, type InstanceId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { noLimits } from "@turnpike/keys";
import { openRateBuckets } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import {
  createTestDatabase,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from "@turnpike/testing";
import { RateLimiter } from "./limit-rates.ts";
import type { LimitedCaller } from "./slice-book.ts";

setDefaultTimeout(180_000);

let database: TestDatabase;
let owner: Connection;
let proxy: TcpProxy;
let limiters: RateLimiter[];
const log = createLog({ level: "silent", name: "test" });

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const url = new URL(database.url);
  proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  url.hostname = "127.0.0.1";
  limiters = [0, 1].map((rank) => {
    const buckets = openRateBuckets({
      url: url.href,
      instanceId: newId<InstanceId>(),
      silentMs: 60_000,
    });
    const share = () => ({ instances: 2, rank });
    return new RateLimiter({}, { share, database: { buckets, waitMs: 50, log } });
  });
});
beforeEach(async () => {
  // Both are connected and believe that the database answers.
  for (const limiter of limiters) {
    for (let isCounted = false; !isCounted; ) {
      const { keyId } = await admitOne(limiter);
      const rows = await owner.sql`select 1 from rate_buckets where subject_id = ${keyId}`;
      isCounted = rows.length > 0;
    }
  }
});
afterAll(async () => {
  await Promise.all(limiters.map((limiter) => limiter.close()));
  await proxy.close();
  await owner.close();
  await database.drop();
});

function callerWith(limits: Partial<LimitedCaller["limits"]>): LimitedCaller {
  const ids = { accountId: newId<AccountId>(), keyId: newId<ApiKeyId>() };
  return { ...ids, limits: { ...noLimits, ...limits } };
}

async function admitOne(limiter: RateLimiter): Promise<LimitedCaller> {
  const caller = callerWith({});
  const admission = await limiter.admit(caller, 1);
  admission.end(1);
  return caller;
}

/** How many of `calls` at once are admitted; the others are refused for a limit, and for nothing else. */
async function admitAll(limiter: RateLimiter, caller: LimitedCaller, calls: number) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: calls }, async () => limiter.admit(caller, 1)),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    expect(outcome.reason).toBeInstanceOf(Fault);
    expect(outcome.reason.code).toBe("rate_limit_exceeded");
  }
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test.each([
  ["slow", async () => proxy.pause(), async () => proxy.resume()],
  [
    "away",
    async () => {
      proxy.refuse();
      proxy.cut();
    },
    () => proxy.accept(),
  ],
] as const)(
  "FR1, FR2: with a database that is %s each instance grants its share",
  async (_, fail, recover) => {
    const key = callerWith({ requestsPerMinute: 11, concurrency: 9 });
    await fail();
    const admitted = await Promise.all(limiters.map((limiter) => admitAll(limiter, key, 20)));
    expect(admitted.toSorted()).toEqual([4, 5]);
    await recover();
    // What was granted without asking is counted once the database answers.
    for (;;) {
      const [row] = await owner.sql<{ used: number; slots: Record<string, number> }[]>`
      select (select used from rate_buckets where subject_id = ${key.keyId} and name = 'key_requests') as used,
             (select slots from rate_buckets where subject_id = ${key.keyId} and name = 'key_concurrency') as slots`;
      const slots = Object.values(row?.slots ?? {}).reduce((sum, count) => sum + count, 0);
      if (slots === 9 && Number(row?.used) > 0) break;
      await Bun.sleep(20);
    }
  },
);
