// An account with a credit limit spends beyond its balance, exactly to the limit, and owes what it spent.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

async function newDebtor(balance: bigint, limit: bigint): Promise<Principal> {
  const principal = await books.newPrincipal(balance);
  await setLimit(principal, limit);
  return principal;
}

const setLimit = ({ accountId }: Principal, limit: bigint) =>
  books.owner.sql`select set_credit_limit(${accountId}, ${limit.toString()}::bigint, null)`;

test("calls are admitted until balance and credit are used up, and not one nano further", async () => {
  const debtor = await newDebtor(100n, 50n);
  const ledger = books.openLedger();
  const first = grantOf(await ledger.hold(holdOf(debtor, 120n)));
  expect(await ledger.hold(holdOf(debtor, 31n, { allOrNothing: true }))).toMatchObject({
    verdict: expect.stringMatching(/^(clamped|in_flight)$/),
  });
  const second = grantOf(await ledger.hold(holdOf(debtor, 30n)));
  await ledger.charge(chargeOf(first, 120n));
  await ledger.charge(chargeOf(second, 30n));
  await ledger.drain(60_000);
  const refused = await books.openLedger().hold(holdOf(debtor, 1n));
  expect(refused).toMatchObject({ verdict: "balance" });
  expect(await books.money(debtor.accountId)).toMatchObject({ balance: -50n, frozen: false });
});

test("a refund within the credit does not freeze, one beyond it does, and a payment ends that", async () => {
  const debtor = await newDebtor(100n, 50n);
  await books.move(debtor.accountId, -150n);
  expect(await books.money(debtor.accountId)).toMatchObject({ balance: -50n, frozen: false });
  await books.move(debtor.accountId, -1n);
  expect(await books.money(debtor.accountId)).toMatchObject({ balance: -51n, frozen: true });
  await books.move(debtor.accountId, 1n);
  expect(await books.money(debtor.accountId)).toMatchObject({ balance: -50n, frozen: false });
});

test("a limit that covers what is owed unfreezes the account, and none falls below it", async () => {
  const debtor = await newDebtor(100n, 0n);
  await books.move(debtor.accountId, -130n);
  expect(await books.money(debtor.accountId)).toMatchObject({ frozen: true });
  await setLimit(debtor, 30n);
  expect(await books.money(debtor.accountId)).toMatchObject({ frozen: false });
  expect(await setLimit(debtor, 29n).catch(String)).toContain("accounts_never_overdrawn");
});
