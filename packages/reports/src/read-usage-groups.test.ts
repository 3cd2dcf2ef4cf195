// Usage by any dimensions at once: every page goes on where the one before ended, and the groups add up to the total.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";
import { readUsageTotals } from "./read-usage.ts";
import { readUsageGroups, usageDimensions } from "./read-usage-groups.ts";

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
  const totals = await readUsageTotals(bed.app.db, query);
  const found = [];
  let page = await readUsageGroups(bed.app.db, query);
  while (page.length > 5) {
    found.push(...page.slice(0, 5));
    page = await readUsageGroups(bed.app.db, { ...query, after: page[4]?.values });
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
          ...{ model: "m/one", key: "playground", provider: "p", member: "", operation: "chat" },
          ...{ status: "ok", project: accountId as string },
          ...{ hour: "2026-11-10T05:00:00Z", day: "2026-11-10T00:00:00Z" },
        })[dimension],
    ),
  );
  expect(await bed.check()).toEqual([]);
});
