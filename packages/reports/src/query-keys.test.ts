// Keys as their account sees them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestReports, type TestReports } from "./open-test-reports.fixture.ts";
import { queryKey } from "./query-keys.ts";

let reports: TestReports;

beforeAll(async () => {
  reports = await openTestReports();
});

afterAll(() => reports.close());

test("what idle leases hold does not use up a key's limit for its reader", async () => {
  const { app } = reports;
  const accountId = await reports.newAccount(0n);
  const id = await reports.newKey(accountId, "held");
  await reports.owner.sql`insert into budgets (account_id, kind, subject_id, period, limit_nanos)
                          values (${accountId}, 'key', ${id}, 'total', 10)`;
  await reports.owner.sql`update api_keys set total_held_nanos = 2, total_spent_nanos = 8
                           where id = ${id}`;
  expect((await queryKey(app.db, { accountId }, id))?.status).toBe("active");
  await reports.owner.sql`update api_keys set total_held_nanos = 0, total_spent_nanos = 10
                           where id = ${id}`;
  expect((await queryKey(app.db, { accountId }, id))?.status).toBe("limit_reached");
});

test("the old secret of a rotated key works until its time, or until the key is revoked", async () => {
  const { app } = reports;
  const accountId = await reports.newAccount(0n);
  const id = await reports.newKey(accountId, "rotated");
  await app.sql`update api_keys set previous_hash = hash, hash = ${Buffer.from("fresh")},
                       previous_until = now() + interval '1 hour' where id = ${id}`;
  const before = await queryKey(app.db, { accountId }, id);
  expect(before?.previousUntil?.getTime()).toBeGreaterThan(Date.now());
  await app.sql`update api_keys set revoked_at = now() where id = ${id}`;
  const after = await queryKey(app.db, { accountId }, id);
  expect(after).toMatchObject({ status: "revoked", previousUntil: null });
});
