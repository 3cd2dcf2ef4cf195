// The days, weeks and months of reports, by a clock that is set to their edges: what is wrong on Sundays, on the
// last of a month or when clocks change is seen on every day.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connectDatabase, type Db } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { setDatabaseClock } from "@turnpike/testing";
import { queryKeys, querySpend, queryStartOfDay, queryUsage } from "./index.ts";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";

let reports: TestReports;
beforeAll(async () => {
  reports = await openTestReports();
});
afterAll(async () => {
  expect(await reports.check()).toEqual([]);
  await reports.close();
});

/** What `read` returns at that time. */
async function readAt<Result>(at: string, read: (db: Db) => Promise<Result>): Promise<Result> {
  await setDatabaseClock(reports.database, new Date(at));
  const { db, close } = connectDatabase({ url: reports.database.url, max: 1 });
  try {
    return await read(db);
  } finally {
    await close();
  }
}

test.each([
  ["2031-11-30T23:59:59.999Z", "2031-12-01", "2031-12-01", "2031-12-01"], // Sunday
  ["2031-12-01T00:00:00.000Z", "2031-12-02", "2031-12-08", "2032-01-01"], // Monday
  ["2031-12-31T12:00:00.000Z", "2032-01-01", "2032-01-05", "2032-01-01"], // Wednesday
  ["2032-02-28T23:59:59.999Z", "2032-02-29", "2032-03-01", "2032-03-01"], // Saturday of a leap year
])("at %s the limits of a key reset on %s, %s and %s", async (at, day, week, month) => {
  const accountId = await reports.newAccount(0n);
  await reports.newKey(accountId, "key");
  const [key] = await readAt(at, (db) => queryKeys(db, { accountId, includeRevoked: false }));
  const ends = Object.entries(key?.spend ?? {}).map(([period, { resetsAt }]) => [
    period,
    resetsAt?.toISOString(),
  ]);
  expect(Object.fromEntries(ends)).toEqual({
    day: `${day}T00:00:00.000Z`,
    week: `${week}T00:00:00.000Z`,
    month: `${month}T00:00:00.000Z`,
    total: undefined,
  });
});

test("the limits of a key reset, and count, in the time zone of its account", async () => {
  const { sql } = reports.owner;
  const accountId = await reports.newAccount(0n);
  await sql`update accounts set time_zone = 'Asia/Kolkata' where id = ${accountId}`;
  const keyId = await reports.newKey(accountId, "key");
  const read = (db: Db) => queryKeys(db, { accountId, includeRevoked: false });
  for (const [at, end] of [
    ["2031-12-01T18:29:59.999Z", "2031-12-01T18:30:00.000Z"],
    ["2031-12-01T18:30:00.000Z", "2031-12-02T18:30:00.000Z"],
  ] as const) {
    const [key] = await readAt(at, read);
    expect(key?.spend.day.resetsAt?.toISOString()).toBe(end);
  }
  // The day of the key's own counters is UTC, that of its limit is not: their amounts differ.
  await sql`update api_keys set day_start = (pg_catalog.now() at time zone 'utc')::date,
              day_spent_nanos = 9 where id = ${keyId}`;
  await sql`insert into budgets (account_id, kind, subject_id, period, limit_nanos)
            values (${accountId}, 'key', ${keyId}, 'day', 500)`;
  await sql`update budgets set spent_nanos = 7,
              period_start = (pg_catalog.now() at time zone 'Asia/Kolkata')::date
             where subject_id = ${keyId}`;
  const shown = async () => (await read(reports.owner.db))[0]?.spend.day.spentNanos;
  expect(await shown()).toBe(toNanos(7n));
  await sql`delete from budgets where subject_id = ${keyId}`;
  expect(await shown()).toBe(toNanos(9n));
  await sql`update api_keys set day_spent_nanos = 0 where id = ${keyId}`;
});

test.each([
  // Clocks go back an hour on 2 November 2031 in New York.
  ["2031-11-03T04:59:59.999Z", 0, "2031-11-02T04:00:00.000Z"],
  ["2031-11-03T05:00:00.000Z", 0, "2031-11-03T05:00:00.000Z"],
  ["2031-11-03T05:00:00.000Z", 1, "2031-11-02T04:00:00.000Z"],
  ["2031-11-03T05:00:00.000Z", 6, "2031-10-28T04:00:00.000Z"],
])("at %s the day %i days ago began in New York at %s", async (at, daysAgo, start) => {
  const read = (db: Db) => queryStartOfDay(db, "America/New_York", daysAgo);
  expect((await readAt(at, read)).toISOString()).toBe(start);
});

describe("spending of today, this month and the last one in Berlin", () => {
  /** At the edges of March and April 2031, and of 9 April; clocks go forward on 30 March. */
  const calls = [
    ["2031-02-28T22:59:59.999Z", 1n],
    ["2031-02-28T23:00:00.000Z", 10n],
    ["2031-03-31T21:59:59.999Z", 100n],
    ["2031-03-31T22:00:00.000Z", 1_000n],
    ["2031-04-08T21:59:59.999Z", 10_000n],
    ["2031-04-08T22:00:00.000Z", 100_000n],
  ] as const;
  const spendAt = async (at: string) => {
    const accountId = await reports.newAccount(1_000_000n);
    for (const [placedAt, costNanos] of calls) {
      if (placedAt > at) continue;
      await reports.writePastCall({ accountId, keyId: null, at: placedAt, costNanos });
    }
    return readAt<unknown>(at, (db) => querySpend(db, { accountId }, "Europe/Berlin"));
  };

  test.each([
    ["2031-03-31T21:59:59.999Z", [100n, 110n, 1n, 1]],
    ["2031-03-31T22:00:00.000Z", [1_000n, 1_000n, 110n, 1]],
    ["2031-04-08T21:59:59.999Z", [10_000n, 11_000n, 110n, 1]],
    ["2031-04-08T22:00:00.000Z", [100_000n, 111_000n, 110n, 1]],
    ["2031-04-30T22:00:00.000Z", [0n, 0n, 111_000n, 0]],
  ] as const)("at %s", async (at, [todayNanos, monthNanos, lastMonthNanos, requestsToday]) => {
    expect(await spendAt(at)).toMatchObject({
      todayNanos,
      monthNanos,
      lastMonthNanos,
      requestsToday,
    });
  });
});

describe("the usage of a range", () => {
  test("includes its first instant and not its last, and begins no bucket there", async () => {
    const accountId = await reports.newAccount(1_000n);
    const [from, to] = ["2031-05-01T00:00:00.000Z", "2031-05-04T00:00:00.000Z"];
    for (const [at, costNanos] of [
      ["2031-04-30T23:59:59.999Z", 1n],
      [from, 10n],
      ["2031-05-03T23:59:59.999Z", 100n],
      [to, 200n],
    ] as const) {
      await reports.writePastCall({ accountId, keyId: null, at, costNanos });
    }
    const query = { accountId, timeZone: "UTC", from: new Date(from), to: new Date(to) };
    const { db } = reports.app;
    const { totals, series } = await queryUsage(db, query, "model");
    expect(totals).toMatchObject({ costNanos: toNanos(110n), requests: 2 });
    const shown = series.map(({ at, groups }) => [at.toISOString(), groups[0]?.costNanos]);
    expect(shown).toEqual([
      [from, toNanos(10n)],
      ["2031-05-02T00:00:00.000Z", undefined],
      ["2031-05-03T00:00:00.000Z", toNanos(100n)],
    ]);
  });

  test("is shown by the hour up to two days, by the day beyond; the day when clocks go back has 25", async () => {
    const accountId = await reports.newAccount(0n);
    const from = new Date("2031-10-25T22:00:00.000Z");
    const lengthOf = async (hours: number, moreMs = 0) => {
      const to = new Date(from.getTime() + hours * 3_600_000 + moreMs);
      const query = { accountId, timeZone: "Europe/Berlin", from, to };
      return (await queryUsage(reports.app.db, query, "model")).series.map(({ at }) => at);
    };
    expect(await lengthOf(25)).toHaveLength(25);
    expect(await lengthOf(48)).toHaveLength(48);
    expect(await lengthOf(48, 1)).toEqual([from, new Date("2031-10-26T23:00:00.000Z")]);
  });
});
