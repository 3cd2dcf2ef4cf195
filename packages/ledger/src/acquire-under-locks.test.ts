// A batch that waits is answered once the locks on its accounts and its keys are free, never with `busy`.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { acquireLeases } from "./acquire-leases.ts";
import { LeaseBook } from "./lease-book.ts";
import { holdOf, openTestBooks, type TestBooks } from "./open-test-books.fixture.ts";

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

test.each(["accounts", "api_keys"])("a batch waits for a lock on %s", async (table) => {
  const principal = await books.newPrincipal(1_000n);
  const hold = holdOf(principal, 10n);
  const { keyId, wantNanos, floorNanos, halve, exact } = hold;
  const { lease } = new LeaseBook().reserve(hold);
  const call = { lease, keyId, wantNanos, floorNanos, ownNanos: 0n, aheadNanos: 0n, halve, exact };
  const holder = await books.owner.sql.reserve();
  await holder`begin`;
  const id = table === "accounts" ? principal.accountId : keyId;
  await holder`select 1 from ${holder(table)} where id = ${id} for update`;
  const options = { instanceId: books.instanceId, wait: true, late: false };
  let isAnswered = false;
  const acquiring = acquireLeases(books.app.sql, [call], options).finally(() => {
    isAnswered = true;
  });
  while (!isAnswered && !(await isBlocked()));
  await holder`commit`;
  holder.release();
  const { answers } = await acquiring;
  expect(answers).toMatchObject([{ verdict: "held" }]);
});
