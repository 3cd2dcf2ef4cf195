// Everything that returns money to accounts uses one connection of the process: the budget of connections
// relies on it, and nothing may overtake a late charge that waits for a lock on another connection.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type InstanceId, newId } from "@turnpike/base";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { releaseLeases } from "./release-leases.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

/** The sessions of that name, all of them or those that wait for a lock. */
async function countSessions(waiting: boolean): Promise<number> {
  const rows = await books.owner.sql`
    select 1 from pg_stat_activity
     where datname = ${books.database.name} and application_name = 'turnpike release'
       and (wait_event_type = 'Lock' or not ${waiting}::boolean)`;
  return rows.length;
}

test("late charges and the reaper take turns on one connection", async () => {
  const ledger = books.openLedger();
  const principal = await books.newPrincipal(1_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 10n)));
  const lease = { ...principal, leaseId: hold.lease.id, amountNanos: 0n, kind: "close" as const };
  await releaseLeases(books.app.sql, [lease], { instanceId: newId<InstanceId>() });
  const { charging, reaping } = await books.owner.sql.begin(async (sql) => {
    await sql`select 1 from accounts where id = ${principal.accountId} for update`;
    const late = ledger.charge(chargeOf(hold, 4n));
    while ((await countSessions(true)) === 0) await Bun.sleep(10);
    const reaped = ledger.reapLeases({ silentMs: 60_000, limit: 10 });
    return { charging: () => late, reaping: () => reaped };
  });
  expect((await charging()).verdict).toBe("late_settled");
  expect(await reaping()).toBe(0);
  expect(await countSessions(false)).toBe(1);
  expect(await ledger.drain(60_000)).toBe(true);
  expect(await books.check()).toEqual([]);
});
