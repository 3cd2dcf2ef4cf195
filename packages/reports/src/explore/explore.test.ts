// Explore's numbers: a table by two dimensions adds up to everything in the range, whatever is folded into "other", and
// the forecast of a month follows from the last seven days.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { openTestReports, type TestReports } from "../open-test-reports.fixture.ts";
import { planUsage } from "../plan-usage.ts";
import { queryUsage, queryUsageTotals } from "../query-usage.ts";
import { planUsageGroups, queryUsageGroups } from "../query-usage-groups.ts";
import { rollUpUsage } from "../roll-up-usage.ts";
import { forecastMonth } from "./forecast-month.ts";
import { addAmounts, isSum, isUnit, measureOf, measures } from "./measure.ts";
import { queryUsageTable } from "./query-usage-table.ts";

let bed: TestReports;

beforeAll(async () => {
  bed = await openTestReports();
});
afterAll(() => bed.close());

const from = new Date("2026-11-01T00:00:00Z");
const to = new Date("2026-11-11T00:00:00Z");

/** Of each call; nothing is billed by the character. */
const units = [
  { unit: "images", variant: "1K", count: 2 },
  { unit: "images", variant: "4K", count: 1 },
  { unit: "audioMilliseconds", count: 1_500 },
  { unit: "searchUnits", count: 7 },
] as const;

async function addAccountWithKeys(names: readonly string[]): Promise<AccountId> {
  const accountId = await bed.newAccount(1_000_000n);
  for (const [place, name] of names.entries()) {
    const keyId = await bed.newKey(accountId, name);
    for (let day = 1; day <= 10; day += 1) {
      const hour = new Date(Date.UTC(2026, 10, day, place)).toISOString();
      const costsNanos = [BigInt(10 ** place)];
      await bed.writePastHour({ accountId, keyId, hour, costsNanos, totalMs: 100 * day, units });
    }
  }
  return accountId;
}

const query = (accountId: AccountId) =>
  planUsage(bed.app.db, { accountId, from, to, timeZone: "UTC" });

test("the largest rows and the newest days stay, the rest is folded, and nothing is lost", async () => {
  const accountId = await addAccountWithKeys(["a", "b", "c", "d"]);
  const planned = await query(accountId);
  const table = await queryUsageTable(bed.app.db, {
    ...planned,
    measure: "spend",
    rows: "key",
    columns: "day",
    rowsMax: 2,
    columnsMax: 3,
  });
  expect(table.rows).toHaveLength(3);
  expect(table.rows.at(-1)).toBeNull();
  expect(table.columns).toEqual([
    "2026-11-10T00:00:00Z",
    "2026-11-09T00:00:00Z",
    "2026-11-08T00:00:00Z",
    null,
  ]);
  const costAt = (row: string | null | undefined, column: string | null) =>
    table.cells.find((cell) => cell.row === row && cell.column === column)?.costNanos;
  expect(costAt(table.rows[0], "2026-11-10T00:00:00Z")).toBe(1_000n as never);
  expect(costAt(table.rows[1], null)).toBe(700n as never);
  expect(costAt(null, null)).toBe(77n as never);
  const totals = await queryUsageTotals(bed.app.db, planned);
  expect(addAmounts(table.cells).costNanos).toBe(totals.costNanos);
  expect(addAmounts(table.cells).requests).toBe(40);
});

test.each(measures)(
  "%s of the table is that of the totals, also after usage is added up",
  async (measure) => {
    const accountId = await addAccountWithKeys(["one", "two"]);
    const read = async () => {
      const planned = await planUsage(
        bed.app.db,
        { accountId, from, to, timeZone: "UTC" },
        { exactCalls: 0 },
      );
      const shape = { measure, rows: "key", columns: "status", rowsMax: 1, columnsMax: 1 } as const;
      const { cells } = await queryUsageTable(bed.app.db, { ...planned, ...shape });
      const totals = await queryUsageTotals(bed.app.db, planned);
      return { planned, value: measureOf(addAmounts(cells), measure), totals };
    };
    const expected = {
      spend: "costNanos",
      requests: "requests",
      errors: undefined,
      inputTokens: "promptTokens",
      outputTokens: "completionTokens",
      cachedTokens: "cachedTokens",
      errorRate: "errorRate",
      p50: "p50Ms",
      p95: "p95Ms",
    } as const;
    const field = isUnit(measure) ? undefined : expected[measure];
    for (const isRolled of [false, true]) {
      if (isRolled) await rollUpUsage(bed.owner.db);
      const { planned, value, totals } = await read();
      expect(planned.plan.rolled !== undefined).toBe(isRolled);
      if (isUnit(measure)) expect(value).toBe(totals.units[measure] ?? 0);
      else if (field === undefined) expect(value).toBe(0);
      else if (isSum(measure)) expect(value).toBe(totals[field] as never);
      else expect(Number(value)).toBeCloseTo(Number(totals[field]), 6);
    }
  },
);

test("units are added up without their variants, by quarter, block and call alike", async () => {
  const accountId = await addAccountWithKeys(["one", "two"]);
  const read = () => queryUsage(bed.app.db, { accountId, from, to, timeZone: "UTC" }, "key");
  const sums = { images: 60, audioMilliseconds: 30_000, searchUnits: 140 };
  for (const isRolled of [false, true]) {
    if (isRolled) await rollUpUsage(bed.owner.db);
    const { totals, breakdown, series } = await read();
    expect(totals.units).toEqual(sums);
    expect(breakdown.map((row) => row.units.images)).toEqual([30, 30]);
    expect(series[0]?.groups.map((group) => group.units)).toEqual([
      { images: 3, audioMilliseconds: 1_500, searchUnits: 7 },
      { images: 3, audioMilliseconds: 1_500, searchUnits: 7 },
    ]);
  }
  expect(await bed.check()).toEqual([]);
});

test("a sum of units that its calls do not add up to is found", async () => {
  const accountId = await addAccountWithKeys(["one"]);
  await rollUpUsage(bed.owner.db);
  await bed.owner
    .sql`update usage_quarter_hours set images = images + 1 where account_id = ${accountId}`;
  const found = await bed.check();
  expect(new Set(found.map(({ check }) => check))).toEqual(
    new Set([
      "usage is not the sum of its requests",
      "a day of usage is not the sum of its blocks",
    ]),
  );
  await bed.owner
    .sql`update usage_quarter_hours set images = images - 1 where account_id = ${accountId}`;
});

test.each(["user", "model"] as const)(
  "durations by %s of single calls are right to a tenth",
  async (rows) => {
    const accountId = await bed.newAccount(1_000n);
    const past = { accountId, keyId: null, costsNanos: [1n], endUser: "u1" };
    for (let hour = 1; hour <= 9; hour += 1) {
      const at = new Date(Date.UTC(2026, 10, 1, hour)).toISOString();
      await bed.writePastHour({ ...past, hour: at, totalMs: 100 * hour });
    }
    const query = { accountId, from, to, timeZone: "UTC" };
    const planned = await planUsageGroups(bed.app.db, query, ["user"]);
    const shape = { measure: "p50", rows, columns: undefined } as const;
    const table = await queryUsageTable(bed.app.db, {
      ...planned,
      ...shape,
      rowsMax: 5,
      columnsMax: 1,
    });
    expect(table.cells.flatMap(({ durationsMs }) => durationsMs)).toEqual([]);
    const p50 = Number(measureOf(addAmounts(table.cells), "p50"));
    expect(Math.abs(p50 - 500)).toBeLessThan(50);
  },
);

test("a month will cost what it did so far and the rest at the rate of the last seven days", async () => {
  const accountId = await addAccountWithKeys(["a"]);
  // One nano-dollar a day from November 1: ten of them when the eleventh begins.
  const forecast = await forecastMonth(bed.app.db, { accountId, timeZone: "UTC" }, to);
  expect(forecast).toEqual({
    from,
    to: new Date("2026-12-01T00:00:00Z"),
    spentNanos: 10n as never,
    expectedNanos: 30n as never,
    basedOnDays: 7,
  });
});

test("a month of a zone begins at its midnight, and a new account is judged by the days it had", async () => {
  const accountId = await addAccountWithKeys(["a"]);
  const now = new Date("2026-11-03T00:00:00Z");
  const forecast = await forecastMonth(
    bed.app.db,
    { accountId, timeZone: "America/Los_Angeles" },
    now,
  );
  expect(forecast.from.toISOString()).toBe("2026-11-01T07:00:00.000Z");
  expect(forecast.to.toISOString()).toBe("2026-12-01T08:00:00.000Z");
  expect(forecast.basedOnDays).toBe(3);
});

test("nothing spent lately is no forecast", async () => {
  const accountId = await addAccountWithKeys(["a"]);
  const now = new Date("2026-11-28T00:00:00Z");
  const forecast = await forecastMonth(bed.app.db, { accountId, timeZone: "UTC" }, now);
  expect(forecast).toMatchObject({ spentNanos: 10n, expectedNanos: null, basedOnDays: 0 });
});

test.each(["America/New_York", "Asia/Kathmandu", "Australia/Sydney"])(
  "hours and days of %s have the calls that were placed in them, also once they are added up",
  async (timeZone) => {
    const accountId = await addAccountWithKeys(["a", "b", "c"]);
    // New York sets its clocks back on November 1.
    const early = new Date("2026-10-31T05:00:00Z");
    await bed.writePastHour({
      accountId,
      keyId: null,
      hour: "2026-11-01T06:00:00Z",
      costsNanos: [5n, 7n],
    });
    const expected = (size: string) =>
      bed.owner.sql<{ at: string; calls: number }[]>`
        select to_char(date_trunc(${size}, placed_at, ${timeZone}) at time zone 'utc',
                       'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, count(*)::int as calls
          from requests where account_id = ${accountId} group by 1 order by 1`;
    for (const isRolled of [false, true]) {
      if (isRolled) await rollUpUsage(bed.owner.db);
      const range = { accountId, from: early, to, timeZone };
      const planned = await planUsage(bed.app.db, range, { exactCalls: 0 });
      expect(planned.plan.rolled !== undefined).toBe(isRolled);
      for (const rows of ["hour", "day"] as const) {
        const found = [...(await expected(rows))];
        const shape = { measure: "requests", rows, columns: undefined } as const;
        const sizes = { rowsMax: 1_000, columnsMax: 1 };
        const table = await queryUsageTable(bed.app.db, { ...planned, ...shape, ...sizes });
        const cells = table.cells.map(({ row, requests }) => ({ at: row, calls: requests }));
        expect(cells.toReversed()).toEqual(found);
        const groups = await queryUsageGroups(bed.app.db, { ...planned, by: [rows], limit: 1_000 });
        expect(groups.map(({ values: [at = ""], requests }) => ({ at, calls: requests }))).toEqual(
          found,
        );
      }
    }
  },
);

// The Azores and Cuba have two midnights on these days; Lord Howe Island changes by half an hour.
test.each([
  ["Atlantic/Azores", "2026-10-25T00:00:00Z", "2026-10-25T00:00:00Z", "2026-10-24T00:00:00Z"],
  ["America/Havana", "2026-11-01T04:00:00Z", "2026-11-01T04:00:00Z", "2026-10-31T04:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T18:00:00Z", "2026-10-03T13:30:00Z", "2026-10-02T13:30:00Z"],
] as const)(
  "no call of %s is lost or counted to another day where clocks change",
  async (timeZone, hour, day, dayBefore) => {
    const accountId = await bed.newAccount(1_000_000n);
    for (const at of [hour, dayBefore]) {
      await bed.writePastHour({ accountId, keyId: null, hour: at, costsNanos: [5n, 7n] });
    }
    const ofPage = { limit: 10 } as const;
    const shape = { measure: "requests", columns: undefined, rowsMax: 9, columnsMax: 1 } as const;
    for (const from of [new Date(hour), new Date(dayBefore)]) {
      const days = from < new Date(hour) ? [dayBefore, day] : [day];
      const query = { accountId, from, to: new Date("2026-11-03T00:00:00Z"), timeZone };
      const planned = await planUsage(bed.app.db, query);
      const groups = await queryUsageGroups(bed.app.db, { ...planned, by: ["day"], ...ofPage });
      expect(groups.map(({ values, requests }) => [...values, requests])).toEqual(
        days.map((one) => [one, 2]),
      );
      const table = await queryUsageTable(bed.app.db, { ...planned, ...shape, rows: "day" });
      expect(table.rows).toEqual(days.toReversed());
      const both = { ...planned, by: ["hour", "day"] as const, ...ofPage };
      const hours = await queryUsageGroups(bed.app.db, both);
      expect(hours.at(-1)?.values).toEqual([hour, day]);
      const { series, latency } = await queryUsage(bed.app.db, planned, "model");
      const counts = series.map(({ groups }) => groups.reduce((sum, one) => sum + one.requests, 0));
      expect(counts.reduce((sum, one) => sum + one, 0)).toBe(2 * days.length);
      expect(latency.map(({ at }) => at.toISOString().slice(0, 19))).toEqual(
        days.map((one) => one.slice(0, 19)),
      );
    }
  },
);
