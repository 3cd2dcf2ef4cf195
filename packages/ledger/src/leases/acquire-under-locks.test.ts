// A batch that waits is answered once the locks on its accounts and its keys are free, never with `busy`.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

async function isBlocked(): Promise<boolean> {
  const rows = await books.owner.sql`
    select from pg_stat_activity
     where datname = ${books.database.name} and cardinality(pg_blocking_pids(pid)) > 0`;
  return rows.length > 0;
}

/** Acquires while `id` of the table is locked; whether that had to wait, and its answers. */
async function acquireBeside(table: string, id: string, principal: Principal) {
  const hold = holdOf(principal, 10n);
  const call = { ...hold, ...new LeaseBook().reserve(hold.facts), aheadNanos: 0n };
  const holder = await books.owner.sql.reserve();
  await holder`begin`;
  await holder`select 1 from ${holder(table)} where id = ${id} for update`;
  const options = { instanceId: books.instanceId, wait: true, late: false };
  let isAnswered = false;
  const acquiring = acquireLeases(books.app.sql, [call], options).finally(() => {
    isAnswered = true;
  });
  while (!isAnswered && !(await isBlocked()));
  const waited = !isAnswered;
  await holder`commit`;
  holder.release();
  return { waited, ...(await acquiring) };
}

test.each(["accounts", "api_keys"])("FD12: a batch waits for a lock on %s", async (table) => {
  const principal = await books.newPrincipal(1_000n);
  const id = table === "accounts" ? principal.accountId : principal.keyId;
  const { waited, answers } = await acquireBeside(table, id, principal);
  expect(answers).toMatchObject([{ verdict: "held" }]);
  expect(waited).toBe(true);
});

test("a batch does not wait for another key of its account", async () => {
  const principal = await books.newPrincipal(1_000n);
  const other = await books.newKey(principal.accountId);
  const { waited, answers } = await acquireBeside("api_keys", other, principal);
  expect(answers).toMatchObject([{ verdict: "held" }]);
  expect(waited).toBe(false);
});
