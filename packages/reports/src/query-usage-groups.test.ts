// Usage by any dimensions at once: every page goes on where the one before ended, and the groups add up to the total.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";
import { queryUsageTotals } from "./query-usage.ts";
import { planUsageGroups, queryUsageGroups, usageDimensions } from "./query-usage-groups.ts";
import { rollUpUsage } from "./roll-up-usage.ts";

let bed: TestReports;

beforeAll(async () => {
  bed = await openTestReports();
});
afterAll(() => bed.close());

test("groups by several dimensions come in pages, in order, and miss nothing", async () => {
  const accountId = await bed.newAccount(1_000n);
  const keys = [await bed.newKey(accountId, "one"), await bed.newKey(accountId, "two"), null];
  for (let hour = 0; hour < 60; hour += 5) {
    const keyId = keys[hour % 3] ?? null;
    const at = new Date(Date.UTC(2026, 10, 10, hour)).toISOString();
    await bed.writePastHour({ accountId, keyId, hour: at, costsNanos: [BigInt(hour + 1)] });
  }
  const query = {
    accountId,
    from: new Date("2026-11-10T00:00:00Z"),
    to: new Date("2026-11-12T12:00:00Z"),
    timeZone: "UTC",
    by: usageDimensions,
    limit: 5,
  };
  const totals = await queryUsageTotals(bed.app.db, query);
  const found = [];
  let page = await queryUsageGroups(bed.app.db, query);
  while (page.length > 5) {
    found.push(...page.slice(0, 5));
    page = await queryUsageGroups(bed.app.db, { ...query, after: page[4]?.values });
  }
  found.push(...page);
  expect(found).toHaveLength(12);
  expect(found.reduce((sum, row) => sum + row.costNanos, 0n)).toBe(totals.costNanos);
  expect(found.map(({ values }) => values.join(" "))).toEqual(
    found.map(({ values }) => values.join(" ")).toSorted(),
  );
  const first = found.find(({ values }) => values.includes("playground"));
  expect(first?.values).toEqual(
    usageDimensions.map(
      (dimension) =>
        ({
          model: "m/one",
          key: "playground",
          provider: "p",
          member: "",
          operation: "chat",
          status: "ok",
          project: accountId as string,
          app: "",
          user: "",
          hour: "2026-11-10T05:00:00Z",
          day: "2026-11-10T00:00:00Z",
        })[dimension],
    ),
  );
  expect(await bed.check()).toEqual([]);
});

/** Names that callers choose: with what separates arrays and lists, and with what a page cannot show. */
const names = ['a,b"{}\\', "line\nbreak", "", "Zoë 😀"] as const;

test("apps and users come in pages with other dimensions, and add up to the exact total", async () => {
  const accountId = await bed.newAccount(10_000_000_000n);
  const keyId = await bed.newKey(accountId, "key");
  const from = new Date(Date.now() - 31 * 86_400_000);
  for (const [place, name] of names.entries()) {
    const costs = [BigInt(1 + place), 333_333_333n];
    const hour = new Date(Date.now() - (place + 1) * 86_400_000).toISOString();
    const caller = name && { app: name, endUser: `user of ${name}` };
    await bed.writePastHour({ accountId, keyId, hour, costsNanos: costs, ...(caller || {}) });
  }
  const range = { accountId, from, to: new Date(), timeZone: "UTC" };
  await rollUpUsage(bed.app.db);
  const totals = await queryUsageTotals(bed.app.db, range);
  const by = ["app", "model", "user"] as const;
  const found = [];
  let after: readonly string[] | undefined;
  do {
    const page = await queryUsageGroups(bed.app.db, { ...range, by, limit: 1, after });
    found.push(...page.slice(0, 1));
    after = page.length > 1 ? page[0]?.values : undefined;
  } while (after !== undefined);
  expect(found.map(({ values, costNanos, requests }) => [values, costNanos, requests])).toEqual(
    names
      .map((name, place) => [
        [name, "m/one", name && `user of ${name}`],
        toNanos(333_333_334n + BigInt(place)),
        2,
      ])
      .toSorted(([one], [other]) => Buffer.compare(Buffer.from(`${one}`), Buffer.from(`${other}`))),
  );
  expect(found.reduce((sum, { costNanos }) => sum + costNanos, 0n)).toBe(totals.costNanos);
});

test("by app, a range begins where single calls are still kept, and says so", async () => {
  const accountId = await bed.newAccount(1_000n);
  const hour = (day: number) => new Date(Date.UTC(2026, 9, day)).toISOString();
  for (const day of [2, 20]) {
    await bed.writePastHour({ accountId, keyId: null, hour: hour(day), costsNanos: [7n] });
  }
  const range = { accountId, from: new Date(hour(1)), to: new Date(hour(30)), timeZone: "UTC" };
  const { db } = bed.app;
  expect((await planUsageGroups(db, range, ["app"])).plan.coveredFrom).toBeNull();
  await bed.owner.sql`update usage_progress set sealed_before = ${hour(10)}`;
  const planned = await planUsageGroups(db, range, ["app"]);
  expect(planned.plan.coveredFrom).toEqual(new Date(hour(10)));
  const groups = await queryUsageGroups(db, { ...planned, by: ["app"], limit: 5 });
  expect(groups).toMatchObject([{ values: [""], requests: 1, costNanos: 7n }]);
  const gone = { ...range, to: new Date(hour(9)) };
  expect(await queryUsageGroups(db, { ...gone, by: ["user", "day"], limit: 5 })).toEqual([]);
  await bed.owner.sql`update usage_progress set sealed_before = '-infinity'`;
});
