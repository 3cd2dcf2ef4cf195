// The checker itself: each kind of wrong books, made by hand with the triggers off, is found and
// named. A checker that finds nothing in broken books would make every other test worthless.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkBooks } from "./check-books.ts";
import {
  grantOf,
  holdOf,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";

let books: TestBooks;
let spender: Spender;
let settled: string;
let open: string;
beforeAll(async () => {
  books = await openTestBooks();
  const ledger = books.openLedger();
  spender = await books.newSpender(1_000n);
  const [first, second] = [holdOf(spender, 100n), holdOf(spender, 100n)];
  for (const hold of [first, second]) grantOf(await ledger.placeHold(hold));
  await ledger.settleHold(settlementOf(first, 140n));
  [settled, open] = [first.id, second.id];
});
afterAll(() => books.close());

/** What the checker says about the books while `statements` are applied, which are undone after. */
async function checkWith(...statements: readonly string[]): Promise<string[]> {
  const undo = new Error("undo");
  let found: string[] = [];
  await books.owner.db
    .transaction(async (transaction) => {
      for (const table of ["entries", "requests"]) {
        await transaction.execute(`alter table ${table} disable trigger user`);
      }
      for (const name of ["accounts_never_overdrawn", "accounts_held_not_negative"]) {
        await transaction.execute(`alter table accounts drop constraint ${name}`);
      }
      for (const name of ["requests_charge_within_hold", "requests_charge_within_cost"]) {
        await transaction.execute(`alter table requests drop constraint ${name}`);
      }
      for (const statement of statements) await transaction.execute(statement);
      found = (await checkBooks(transaction)).map((violation) => violation.check);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return found;
}

test("clean books have nothing to report", async () => {
  expect(await books.check()).toEqual([]);
  expect(await checkWith()).toEqual([]);
});

const wrongs: [name: string, statement: () => string][] = [
  [
    "a transaction does not sum to zero",
    () => "update entries set amount_nanos = amount_nanos + 1 where book = 'usage_revenue'",
  ],
  [
    "a balance is not the sum of its entries",
    () => "update accounts set balance_nanos = balance_nanos + 1",
  ],
  [
    "held is not the sum of the open holds",
    () => "update accounts set held_nanos = held_nanos - 1",
  ],
  ["an account is overdrawn and not frozen", () => "update accounts set balance_nanos = 0"],
  [
    "entries of an account that does not exist",
    () =>
      `insert into entries select gen_random_uuid(), transaction_id, 'account', 0 from entries limit 1`,
  ],
  [
    "a charge exceeds its hold",
    () => `update requests set charged_nanos = 101 where id = '${settled}'`,
  ],
  [
    "a charge exceeds its hold",
    () => `update requests set charged_nanos = 101, state = 'late_settled' where id = '${settled}'`,
  ],
  [
    "money on a request that moved none",
    () => `update requests set cost_nanos = 1 where id = '${open}'`,
  ],
  [
    "a charge without its ledger transaction",
    () => `update requests set transaction_id = null where id = '${settled}'`,
  ],
  [
    "a usage entry is not the sum of its requests",
    () => `update requests set charged_nanos = 99 where id = '${settled}'`,
  ],
  [
    "shortfall entries are not the sum of the requests",
    () => `update requests set shortfall_nanos = 41 where id = '${settled}'`,
  ],
  [
    "counters of a key are not its requests",
    () => "update api_keys set day_spent_nanos = day_spent_nanos + 1",
  ],
  ["counters of a key are not its requests", () => "update api_keys set total_held_nanos = 0"],
  [
    "a hold is open past its bound",
    () => `update requests set expires_at = now() - interval '2 minutes' where id = '${open}'`,
  ],
];

for (const [index, [name, statement]] of wrongs.entries()) {
  test(`it finds (${index + 1}): ${name}`, async () => {
    expect(await checkWith(statement())).toContain(name);
  });
}
