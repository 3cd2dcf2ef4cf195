// Durations of a breakdown: each group has those of its own completed calls.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";
import { planUsage } from "./plan-usage.ts";
import { queryUsage } from "./query-usage.ts";
import { rollUpUsage } from "./roll-up-usage.ts";

let bed: TestReports;

beforeAll(async () => {
  bed = await openTestReports();
});
afterAll(() => bed.close());

test("each key has the durations of its own calls, also after usage is added up", async () => {
  const accountId = await bed.newAccount(100n);
  const hour = "2026-11-01T01:00:00Z";
  const ofKey = async (name: string, costNanos: bigint, totalMs: number) => {
    const keyId = await bed.newKey(accountId, name);
    await bed.writePastHour({ accountId, keyId, hour, costsNanos: [costNanos], totalMs });
    return keyId;
  };
  const fast = await ofKey("fast", 3n, 20);
  const slow = await ofKey("slow", 2n, 900);
  const range = { from: new Date("2026-11-01"), to: new Date("2026-11-02"), timeZone: "UTC" };
  const read = async (exactCalls: number) => {
    const query = await planUsage(bed.app.db, { accountId, ...range }, { exactCalls });
    const { breakdown } = await queryUsage(bed.app.db, query, "key");
    return {
      isRolled: query.plan.rolled !== undefined,
      ids: breakdown.map(({ id }) => id as string),
      p50s: breakdown.map(({ p50Ms }) => p50Ms),
      p95s: breakdown.map(({ p95Ms }) => p95Ms),
    };
  };
  expect(await read(1_000)).toEqual({
    isRolled: false,
    ids: [fast, slow],
    p50s: [20, 900],
    p95s: [20, 900],
  });
  await rollUpUsage(bed.owner.db);
  const { isRolled, p50s, p95s } = await read(0);
  expect(isRolled).toBe(true);
  for (const [index, ms] of [20, 900].entries()) {
    expect(Math.abs(Number(p50s[index]) / ms - 1)).toBeLessThan(0.1);
    expect(Math.abs(Number(p95s[index]) / ms - 1)).toBeLessThan(0.1);
  }
});
