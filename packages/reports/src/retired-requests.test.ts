// Months of requests that were exported and dropped: reports still say what was used, and the books are still right.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { retireRequests } from "@turnpike/archive";
import type { AccountId } from "@turnpike/base";
import { untilHourHasRoom } from "@turnpike/testing";
import { hasRequests, planUsage, queryUsage, rollUpUsage } from "./index.ts";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";

let reports: TestReports;
const folder = mkdtempSync(join(tmpdir(), "turnpike-retired-"));

beforeAll(async () => {
  reports = await openTestReports();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  expect(await reports.check()).toEqual([]);
  await reports.close();
});

// What is computed here holds for all tests of this file.
await untilHourHasRoom(120_000);
const now = new Date();
const monthOf = (back: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
const nameOf = (back: number) =>
  `requests_${monthOf(back).toISOString().slice(0, 7).replace("-", "_")}`;

/** The database that tests copy may have been made in the month before: then it has that month. */
async function makePartition(back: number): Promise<void> {
  const bound = (at: Date) => `uuid7_floor('${at.toISOString()}'::timestamptz)`;
  await reports.owner.sql.unsafe(`do $$ begin execute format(
    'create table if not exists ${nameOf(back)} partition of requests for values from (%L) to (%L)',
    ${bound(monthOf(back))}, ${bound(monthOf(back - 1))}); end $$`);
}

async function querySums(accountId: AccountId) {
  const { db } = reports.app;
  const range = { accountId, from: monthOf(4), to: now, timeZone: "UTC" };
  const query = await planUsage(db, range, { exactCalls: 0 });
  const { totals, series } = await queryUsage(db, query, "model");
  const { p50Ms: _p50, p95Ms: _p95, firstTokenP50Ms: _first, ...sums } = totals;
  return [sums, series];
}

test("a month is exported, dropped and still counted, also if the first try could not write the file", async () => {
  const { owner, app } = reports;
  for (const back of [3, 2, 1]) await makePartition(back);
  const accountId = await reports.newAccount(1_000n);
  const payer = { accountId, keyId: await reports.newKey(accountId, "key") };
  const hoursAfter = (back: number, hours: number) =>
    new Date(monthOf(back).getTime() + hours * 3_600_000).toISOString();
  const hours = [
    hoursAfter(3, 0),
    hoursAfter(3, 100),
    hoursAfter(2, -1),
    hoursAfter(2, 0),
    hoursAfter(1, 7),
  ];
  for (const hour of hours) {
    // One of the months has more rows than a connection reads at once.
    const costsNanos = hour === hours[0] ? Array.from({ length: 600 }, () => 1n) : [1n, 2n, 4n];
    await reports.writePastHour({ ...payer, hour, costsNanos });
  }
  const retire = (to = folder) =>
    retireRequests(owner, { keepMonths: 2, folder: to, slice: 400 }).catch((error) =>
      String(error),
    );
  expect(await retire()).toContain("its usage is not added up yet");
  await rollUpUsage(app.db);
  expect(await retire()).toContain("a lease of its time is open or not checked");
  await owner.sql`update leases set checked_at = now() where closed_at is not null`;
  const before = await querySums(accountId);

  const attached = () => owner.sql`
    select from pg_inherits where inhrelid = ${nameOf(3)}::regclass`;
  expect(await retire(join(folder, "missing"))).toContain("is not a folder");
  expect(await attached()).toHaveLength(1);
  const file = join(folder, `${nameOf(3)}.csv.gz`);
  mkdirSync(`${file}.unfinished`);
  expect(await retire()).toContain("EISDIR");
  expect(await attached()).toHaveLength(0);
  expect(await querySums(accountId)).toEqual(before);
  expect(await reports.check()).toEqual([]);
  rmdirSync(`${file}.unfinished`);
  expect(await retire()).toEqual([{ name: nameOf(3), calls: 606, file }]);
  expect(await retire()).toEqual([]);

  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  expect(lines).toHaveLength(607);
  expect(lines[0]).toStartWith("account_id,id,");
  const ids = lines.slice(1).map((line) => line.split(",")[1]);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(await owner.sql`select from requests where account_id = ${accountId}`).toHaveLength(6);
  expect(await querySums(accountId)).toEqual(before);
  expect(await hasRequests(app.db, { accountId })).toBe(true);
  expect(await reports.check()).toEqual([]);
  await owner.sql`update retired_requests set charged_nanos = charged_nanos + 1`;
  expect(await reports.check()).toMatchObject([
    { check: "leases of retired months are not the sum of their requests" },
  ]);
  await owner.sql`update retired_requests set charged_nanos = charged_nanos - 1`;
});
