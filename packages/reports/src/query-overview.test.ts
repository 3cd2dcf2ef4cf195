// What Overview says about a refusal for want of money.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { hasCreditSince } from "./index.ts";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";

let reports: TestReports;

beforeAll(async () => {
  reports = await openTestReports();
});

afterAll(async () => {
  expect(await reports.check()).toEqual([]);
  await reports.close();
});

test("only money that came in after a refusal cures it", async () => {
  const { db } = reports.app;
  const accountId = await reports.newAccount(100n);
  const soon = new Date(Date.now() + 60_000);
  expect(await hasCreditSince(db, accountId, new Date(Date.now() - 60_000))).toBe(true);
  expect(await hasCreditSince(db, accountId, soon)).toBe(false);
  const at = new Date(Date.now() + 120_000).toISOString();
  await reports.writePastCall({ accountId, keyId: null, at, costNanos: 1n });
  expect(await hasCreditSince(db, accountId, soon)).toBe(false);
});
