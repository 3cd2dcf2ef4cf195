// The checks of top-ups and refunds for some accounts: these are compared with their own entries, and the
// money of other accounts neither hides nor causes a violation.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";
import { fillBooks, lookAtDamage } from "./damage-books.fixture.ts";
import { movementChecks } from "./movement-checks.ts";

let books: TestBooks;
/** Each has its own top-up with a refund. */
let ours: AccountId;
let theirs: AccountId;
beforeAll(async () => {
  books = await openTestBooks();
  await fillBooks(books);
  await fillBooks(books);
  const rows = await books.owner.sql<{ account_id: AccountId }[]>`select account_id from top_ups`;
  const [first, second] = rows.map((row) => row.account_id);
  if (first === undefined || second === undefined) throw new Error("no top-ups");
  [ours, theirs] = [first, second];
});
afterAll(() => books.close());

/** What the checks of only `accountId` report after `damage`, each named once. */
function findAmong(accountId: AccountId, damage: readonly string[]): Promise<string[]> {
  return lookAtDamage(books, damage, async (db) => {
    const checks = movementChecks((column) => sql`${column} = ${accountId}`);
    const rows = await db.execute<{ check: string }>(sql.join([...checks], sql` union all `));
    return [...new Set(rows.map((row) => row.check))];
  });
}

test("an account whose top-up and refund are right has nothing to report", async () => {
  expect(await findAmong(ours, [])).toEqual([]);
});

for (const [name, change] of [
  ["what was put in is not the sum of its entries", "accounts set credited_nanos = 1 where id ="],
  [
    "a top-up credits something else than its order",
    "top_ups set amount_nanos = 1 where account_id =",
  ],
  [
    "a top-up credits something else than its order",
    "top_ups set state = 'expired' where account_id =",
  ],
  [
    "what is reversed of a top-up is not its entries",
    "top_ups set reversed_nanos = 1 where account_id =",
  ],
] as const) {
  test(`a violation is found for its own account only: ${name} (${change})`, async () => {
    expect(await findAmong(ours, [`update ${change} '${ours}'`])).toEqual([name]);
    expect(await findAmong(ours, [`update ${change} '${theirs}'`])).toEqual([]);
  });
}

test("a violation is found for its own account only: a top-up is not its credit", async () => {
  const change = (accountId: AccountId) =>
    `update top_ups set id = gen_random_uuid() where account_id = '${accountId}'`;
  expect(await findAmong(ours, [change(ours)])).toContain("a top-up is not its credit");
  expect(await findAmong(ours, [change(theirs)])).toEqual([]);
});
