// Limits of a key and the time zone of its account, changed at the same time: neither is lost, neither fails, and
// what was spent still counts.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { untilWaiting } from "@turnpike/testing";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";

let books: TestBooks;
let first: Connection;
let second: Connection;
beforeAll(async () => {
  books = await openTestBooks();
  first = connectDatabase({ url: books.database.url, max: 1 });
  second = connectDatabase({ url: books.database.url, max: 1 });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await books.close();
});
afterEach(async () => expect(await books.check()).toEqual([]));

/** Changes the time zone while a transaction that has run `before` has yet to run `after`. */
async function changeZoneBetween(
  { accountId }: Principal,
  zone: string,
  before: string,
  after: string,
): Promise<void> {
  let zoneSet: Promise<unknown> = Promise.resolve();
  await first.sql.begin(async (tx) => {
    await tx.unsafe(before);
    zoneSet = second.sql`update accounts set time_zone = ${zone} where id = ${accountId}`;
    zoneSet.catch(() => undefined);
    await untilWaiting(books.owner.sql);
    await tx.unsafe(after);
  });
  await zoneSet;
}

test("two limits of a key and a time zone do not wait for each other", async () => {
  const principal = await books.newPrincipal(1_000_000n, { day: 5_000n, week: 5_000n });
  const ofKey = `subject_id = '${principal.keyId}'`;
  await changeZoneBetween(
    principal,
    "Pacific/Kiritimati",
    `update api_keys set changed_at = now() where id = '${principal.keyId}';
     update budgets set limit_nanos = 4000 where ${ofKey} and period = 'day'`,
    `update budgets set limit_nanos = 4000 where ${ofKey} and period = 'week'`,
  );
  const rows = await books.owner.sql`
    select distinct limit_nanos from budgets where subject_id = ${principal.keyId}`;
  expect([...rows]).toEqual([{ limit_nanos: "4000" }]);
});

test("the first limit of a key counts what it spent, in whichever time zone the day began", async () => {
  const principal = await books.newPrincipal(1_000_000n);
  const ledger = books.openLedger();
  await ledger.charge(chargeOf(grantOf(await ledger.hold(holdOf(principal, 300n))), 300n));
  expect(await ledger.drain(60_000)).toBe(true);
  for (const zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    await books.app.sql`delete from budgets where subject_id = ${principal.keyId}`;
    await changeZoneBetween(
      principal,
      zone,
      `insert into budgets (account_id, kind, subject_id, period, limit_nanos)
       values ('${principal.accountId}', 'key', '${principal.keyId}', 'day', 500)`,
      "select 1",
    );
    const [counted] = await books.owner.sql<{ right: boolean }[]>`
      select b.period_start = budget_start(b.period, now() at time zone a.time_zone)
             and b.spent_nanos = c.spent as "right"
        from budgets b join accounts a on a.id = b.account_id
        cross join lateral count_budget(b.account_id, b.kind, b.subject_id,
          budget_from(b.period, b.period_start, a.time_zone)) c
       where b.subject_id = ${principal.keyId}`;
    expect(counted).toEqual({ right: true });
  }
});
