// Sums of what is added up already and of single calls are those of all calls, whatever is added up when; and where an
// upgrade has left more than a page can read, it reads the newest.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId, GenerationId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { untilHourHasRoom } from "@turnpike/testing";
import {
  planUsage,
  queryLogHistogram,
  queryLogs,
  querySpend,
  queryUsage,
  queryUsageBreakdown,
  queryUsageTotals,
  queryWallet,
  rollUpUsage,
  usageGroups,
} from "./index.ts";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";
import type { PlanLimits } from "./plan-usage.ts";
import { queryUsageGroups } from "./query-usage-groups.ts";

let reports: TestReports;

beforeAll(async () => {
  reports = await openTestReports();
});

afterAll(async () => {
  expect(await reports.check()).toEqual([]);
  await reports.close();
});

const payerOf = async (nanos: bigint) => ({
  accountId: await reports.newAccount(nanos),
  keyId: null,
});

const dayMs = 86_400_000;
// What is computed here holds for all tests of this file.
await untilHourHasRoom(120_000);
const now = Date.now();

/** Free calls of the last three days, of several kinds; the older, the more. */
async function writeCalls(accountId: AccountId, count: number): Promise<void> {
  await reports.owner.sql`
    insert into requests (account_id, id, key_id, state, origin, operation, model, provider, status, outcome,
        error_code, prompt_tokens, completion_tokens, cached_tokens, total_ms, first_byte_ms, placed_at, ended_at,
        app, end_user)
    select ${accountId}, encode(overlay(uuid_send(uuid7_floor(at - random() * interval '50 minutes'))
             placing substring(uuid_send(gen_random_uuid()) from 9 for 8) from 9 for 8), 'hex')::uuid,
           keys[1 + floor(random() * cardinality(keys))::int], 'refused',
           (array['api', 'playground'])[1 + n % 2], (array['chat', 'embeddings'])[1 + n % 2],
           'm/' || n % 3, 'p' || n % 2, (array[200, 400, 502, 499])[1 + n % 4],
           (array['completed', 'refused', 'failed', 'client_closed'])[1 + n % 4],
           (array[null, 'bad_request', 'bad_gateway', null])[1 + n % 4],
           n % 70, n % 50, n % 7, exp(random() * 9), exp(2 + random() * 4), at, at,
           (array[null, 'app'])[1 + n % 2], (array[null, 'one', 'two'])[1 + n % 3]
      from (select n, now() - power(random(), 2) * interval '3 days' as at from generate_series(1, ${count}) n) c
     cross join (select array_agg(id) || array[null::uuid] as keys from api_keys where account_id = ${accountId}) k`;
}

/** Everything that reports say of a range, except percentiles. */
async function queryAll(accountId: AccountId, limits: Partial<PlanLimits>) {
  const { db } = reports.app;
  const [key] = await reports.owner.sql<{ id: never }[]>`
    select id from api_keys where account_id = ${accountId}`;
  const range = {
    accountId,
    from: new Date(now - 2.3 * dayMs),
    to: new Date(now),
    timeZone: "UTC",
  };
  const queries = [
    range,
    { ...range, from: new Date(now - 90_000), timeZone: "Asia/Kolkata" },
    { ...range, to: new Date(now - 0.7 * dayMs), timeZone: "Asia/Kathmandu" },
    { ...range, from: new Date(now - dayMs), keyIds: key && [key.id], models: ["m/1", "m/2"] },
    { ...range, classes: ["ok" as const, "canceled" as const], origin: "api" as const },
    { ...range, providers: ["p1"], projectIds: [accountId as never] },
    { ...range, from: new Date(0), to: new Date(now + dayMs) },
  ];
  const answers = [];
  for (const wanted of queries) {
    const query = await planUsage(db, wanted, limits);
    const {
      p50Ms: _,
      p95Ms: _p95,
      firstTokenP50Ms: _first,
      ...sums
    } = await queryUsageTotals(db, query);
    answers.push(sums);
    for (const group of usageGroups) answers.push(await queryUsageBreakdown(db, query, group));
    if (wanted.from.getTime() === 0) continue;
    for (const group of usageGroups) {
      const { totals, latency: _latency, breakdown, ...rest } = await queryUsage(db, query, group);
      expect(totals).toMatchObject(sums);
      const rows = breakdown.map(
        ({ p50Ms: _, p95Ms: _p95, firstTokenP50Ms: _first, ...row }) => row,
      );
      answers.push({ ...rest, rows });
    }
    const by = [...usageGroups, "hour", "day"] as const;
    answers.push(await queryUsageGroups(db, { ...query, by, limit: 1_000 }));
  }
  return answers;
}

const exact = { exactCalls: Number.MAX_SAFE_INTEGER };
const rolled = { exactCalls: 0 };

/** As if they had been there before the upgrade: nothing was noted, and nothing is added up. */
async function forgetProgress(): Promise<void> {
  await reports.owner.sql`delete from usage_changes`;
  await reports.owner.sql`
    update usage_progress set rolled_from = at, rolled_to = at
      from (select date_bin('15 minutes', now() - interval '1 day', '2000-01-01 00:00:00+00') as at) n`;
}

const countChanges = async () =>
  (await reports.owner.sql`select from usage_changes, usage_progress where quarter < rolled_to`)
    .length;

test("what is added up and what is not make the same sums as all calls, also of late ones", async () => {
  const { db } = reports.app;
  const accounts = [await reports.newAccount(0n), await reports.newAccount(0n)] as const;
  for (const accountId of accounts) {
    await reports.newKey(accountId, "one");
    await reports.newKey(accountId, "two");
    await writeCalls(accountId, 600);
  }
  await forgetProgress();
  const [accountId] = accounts;
  const before = await queryAll(accountId, exact);
  expect(await queryAll(accountId, rolled)).toEqual(before);

  const { since, through } = await rollUpUsage(db, { accountsMax: 1 });
  expect(since).toBe(Number.NEGATIVE_INFINITY);
  expect(Date.now() - through.getTime()).toBeLessThan(1_900_000);
  const range = { accountId, from: new Date(0), to: new Date() };
  expect((await planUsage(db, range, rolled)).plan.rolled).toMatchObject({ to: through });
  expect((await planUsage(db, range)).plan.rolled).toBeUndefined();
  expect(await queryAll(accountId, rolled)).toEqual(before);

  await writeCalls(accountId, 100);
  expect(await countChanges()).toBeGreaterThan(50);
  const after = await queryAll(accountId, exact);
  expect(after).not.toEqual(before);
  expect(await queryAll(accountId, rolled)).toEqual(after);
  await rollUpUsage(db);
  expect(await countChanges()).toBe(0);
  expect(await queryAll(accountId, rolled)).toEqual(after);
  expect(await queryAll(accounts[1], rolled)).toEqual(await queryAll(accounts[1], exact));
});

test("a late call that becomes visible while its quarter is added up is read, and added up next", async () => {
  const { db } = reports.app;
  const accountId = await reports.newAccount(0n);
  await writeCalls(accountId, 50);
  const written = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const late = reports.owner.sql.begin(async (tx) => {
    await tx`insert into requests (account_id, id, state, placed_at)
             values (${accountId}, uuid7_floor(now() - interval '1 day'), 'refused', now() - interval '1 day')`;
    written.resolve();
    await finished.promise;
  });
  await written.promise;
  await rollUpUsage(db);
  finished.resolve();
  await late;
  expect(await countChanges()).toBe(1);
  expect(await queryAll(accountId, rolled)).toEqual(await queryAll(accountId, exact));
  await rollUpUsage(db);
  expect(await countChanges()).toBe(0);
  expect(await queryAll(accountId, rolled)).toEqual(await queryAll(accountId, exact));
});

test("pages of Logs are the same, also where a filter finds few, and bars count each call once", async () => {
  const { db } = reports.app;
  const accountId = await reports.newAccount(0n);
  await writeCalls(accountId, 600);
  await rollUpUsage(db);
  const range = { from: new Date(now - 2 * dayMs), to: new Date(now) };
  const filters = [
    { errorCode: "bad_gateway" },
    { models: ["m/1"], operation: "chat" as const, ...range },
    { statusClass: "canceled" as const, origin: "api" as const },
    { statusClass: "failed" as const, ...range },
    { errorCode: "no_such_code" },
    { app: "app", endUser: "two", models: ["m/2"] },
    { endUser: "no such user", ...range },
  ];
  const counts: number[] = [];
  for (const filter of filters) {
    const read = async (limits: Partial<PlanLimits>) => {
      const ids: string[] = [];
      let cursor: GenerationId | undefined;
      do {
        const page = await queryLogs(db, { accountId, limit: 20, cursor, ...filter }, limits);
        ids.push(...page.rows.map((row) => row.id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return ids;
    };
    expect(await read(rolled)).toEqual(await read(exact));
    const bars = await queryLogHistogram(db, { accountId, limit: 1, ...range, ...filter }, rolled);
    const counted = await queryLogHistogram(
      db,
      { accountId, limit: 1, ...range, ...filter },
      exact,
    );
    const sum = (all: typeof bars) => all.reduce((total, bar) => total + bar.ok + bar.failed, 0);
    expect(sum(bars)).toBe(sum(counted));
    counts.push((await read(exact)).length);
  }
  // Every sixth call.
  expect(counts.slice(-2)).toEqual([100, 0]);
});

test("percentiles of what is added up differ from the exact ones by less than a tenth", async () => {
  const { db } = reports.app;
  const accountId = await reports.newAccount(0n);
  await writeCalls(accountId, 4_000);
  await rollUpUsage(db);
  const to = new Date();
  const wanted = { accountId, from: new Date(+to - 1.5 * dayMs), to, timeZone: "UTC" };
  const read = async (limits: Partial<PlanLimits>) => {
    const query = await planUsage(db, wanted, limits);
    const { totals, latency, breakdown } = await queryUsage(db, query, "model");
    const ofModels = breakdown.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const measured = [totals, ...ofModels].flatMap((part) => [
      part.p50Ms,
      part.p95Ms,
      part.firstTokenP50Ms,
    ]);
    expect(measured.length).toBeGreaterThan(3);
    return { measured: measured.map(Number), buckets: latency.length };
  };
  const [estimated, real] = [await read(rolled), await read(exact)];
  expect(estimated.buckets).toBe(real.buckets);
  for (const [index, ms] of real.measured.entries()) {
    expect(Math.abs((estimated.measured[index] ?? 0) / ms - 1)).toBeLessThan(0.1);
  }
});

test("what an upgrade has not added up yet is read up to a bound, alike in every part, and says since when", async () => {
  const { db } = reports.app;
  const payer = await payerOf(100n);
  // Of the last month, whose sums are read too.
  const today = new Date(now);
  const [year, lastMonth] = [today.getUTCFullYear(), today.getUTCMonth() - 1];
  const atHour = (hour: number) => new Date(Date.UTC(year, lastMonth, 10, hour));
  for (let hour = 0; hour < 10; hour += 1) {
    const at = atHour(hour).toISOString();
    await reports.writePastCall({ ...payer, at, costNanos: 1n });
  }
  await forgetProgress();
  const range = {
    accountId: payer.accountId,
    from: atHour(-24),
    to: atHour(10),
    timeZone: "UTC",
  };
  expect((await planUsage(db, range, { unrolledCalls: 10 })).plan.coveredFrom).toBeNull();
  const query = await planUsage(db, range, { unrolledCalls: 4 });
  expect(query.plan.coveredFrom).toEqual(atHour(5));
  const { totals, breakdown, series, latency } = await queryUsage(db, query, "model");
  expect(totals.requests).toBe(4);
  expect(breakdown[0]?.requests).toBe(4);
  expect(series[0]?.at).toEqual(atHour(5));
  const counts = series.flatMap(({ groups }) => groups.map(({ requests }) => requests));
  expect(counts).toEqual([1, 1, 1, 1]);
  expect(latency).toHaveLength(4);
  await rollUpUsage(db);
  const all = await planUsage(db, range, { unrolledCalls: 4, ...rolled });
  expect(all.plan.coveredFrom).toBeNull();
  expect((await queryUsageTotals(db, all)).requests).toBe(10);
  const spend = await querySpend(db, range, "UTC");
  expect(spend.monthNanos + spend.lastMonthNanos).toBe(toNanos(10n));
});

test("how long a balance lasts follows from the hours of the last seven days", async () => {
  const payer = await payerOf(21_000_000_000n);
  const hour = "2026-11-09T13:00:00Z";
  await reports.writePastHour({ ...payer, hour, costsNanos: [4_000_000_000n, 3_000_000_000n] });
  const old = { ...payer, hour: "2026-11-01T13:00:00Z" };
  await reports.writePastHour({ ...old, costsNanos: [7_000_000_000n] });
  const wallet = await queryWallet(
    reports.app.db,
    payer.accountId,
    new Date("2026-11-12T00:00:00Z"),
  );
  expect(wallet.runwayDays).toBe(7);
});
