// What a page adds up where an account has more requests than it can read.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  boundRange,
  readLatencySeries,
  readReportBound,
  readSpend,
  readUsageBreakdown,
  readUsageSeries,
  readUsageTotals,
  readWallet,
} from "./index.ts";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";

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

test("a page adds up the newest requests up to its bound, alike in every part, and says since when", async () => {
  const { db } = reports.app;
  const payer = await payerOf(100n);
  for (let hour = 0; hour < 10; hour += 1) {
    const at = new Date(Date.UTC(2026, 10, 10, hour)).toISOString();
    await reports.writePastCall({ ...payer, at, costNanos: 1n });
  }
  const range = {
    accountId: payer.accountId,
    from: new Date("2026-11-09T00:00:00Z"),
    to: new Date("2026-11-10T10:00:00Z"),
    timeZone: "UTC",
  };
  expect(await readReportBound(db, range, 10)).toBeUndefined();
  expect(boundRange(range, undefined)).toBe(range);
  const bound = await readReportBound(db, range, 4);
  expect(bound?.coveredFrom.toISOString()).toBe("2026-11-10T05:00:00.000Z");
  const query = boundRange(range, bound);
  expect((await readUsageTotals(db, query)).requests).toBe(4);
  expect((await readUsageBreakdown(db, query, "model"))[0]?.requests).toBe(4);
  const series = await readUsageSeries(db, query, "model");
  expect(series[0]?.at.toISOString()).toBe("2026-11-10T05:00:00.000Z");
  const counts = series.flatMap(({ groups }) => groups.map(({ requests }) => requests));
  expect(counts).toEqual([1, 1, 1, 1]);
  expect(await readLatencySeries(db, query)).toHaveLength(4);
});

test("Overview's sums have the same bound", async () => {
  const { db } = reports.app;
  const payer = await payerOf(100n);
  const now = Date.now();
  for (let second = 5; second > 0; second -= 1) {
    const at = new Date(now - second * 1_000).toISOString();
    await reports.writePastCall({ ...payer, at, costNanos: 1n });
  }
  const { accountId } = payer;
  const range = { accountId, from: new Date(now - 60_000), to: new Date(now) };
  const bound = await readReportBound(db, range, 2);
  const sumOf = async (of: typeof bound) => {
    const { monthNanos, lastMonthNanos } = await readSpend(db, { accountId }, "UTC", of);
    return monthNanos + lastMonthNanos;
  };
  expect([await sumOf(undefined), await sumOf(bound)]).toEqual([5n, 2n]);
});

test("how long a balance lasts follows from the hours of the last seven days", async () => {
  const payer = await payerOf(21_000_000_000n);
  const hour = "2026-11-09T13:00:00Z";
  await reports.writePastHour({ ...payer, hour, costsNanos: [4_000_000_000n, 3_000_000_000n] });
  const old = { ...payer, hour: "2026-11-01T13:00:00Z" };
  await reports.writePastHour({ ...old, costsNanos: [7_000_000_000n] });
  const wallet = await readWallet(
    reports.app.db,
    payer.accountId,
    new Date("2026-11-12T00:00:00Z"),
  );
  expect(wallet.runwayDays).toBe(7);
});
