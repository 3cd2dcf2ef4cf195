// Money that is not usage: it moves the balance and the recorded sum of deposits, both or neither,
// and the checker notices if the two differ.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type AccountId, Fault } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { checkBooks } from "../check/check-books.ts";
import {
  chargeOf,
  grantOf,
  holdOf,
  openTestBooks,
  type Principal,
  type TestBooks,
} from "../open-test-books.fixture.ts";
import { type Movement, postMovement } from "./post-movement.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterEach(async () => {
  expect(await books.check()).toEqual([]);
});
afterAll(() => books.close());

async function creditedOf({ accountId }: Principal): Promise<bigint> {
  const [row] = await books.owner.sql<{ credited: string }[]>`
    select credited_nanos::text as credited from accounts where id = ${accountId}`;
  return BigInt(row?.credited ?? "-1");
}

test("what was put in counts credits and what was taken back, and never usage", async () => {
  const principal = await books.newPrincipal(1_000n);
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 300n)));
  await ledger.charge(chargeOf(hold, 200n));
  await ledger.drain(60_000);
  expect(await creditedOf(principal)).toBe(1_000n);
  await books.move(principal.accountId, -400n);
  expect(await creditedOf(principal)).toBe(600n);
  expect(await books.money(principal.accountId)).toMatchObject({ balance: 400n });
});

test("taking back exactly what is left does not freeze the account, one nano-dollar more does", async () => {
  const { accountId } = await books.newPrincipal(1_000n);
  await books.move(accountId, -1_000n);
  expect(await books.money(accountId)).toMatchObject({ balance: 0n, frozen: false });
  await books.move(accountId, -1n);
  expect(await books.money(accountId)).toMatchObject({ balance: -1n, frozen: true });
});

test("the balance it returns is what people read: what open leases have spent is deducted", async () => {
  const principal = await books.newPrincipal(10_000n);
  const ledger = books.openLedger();
  const hold = grantOf(await ledger.hold(holdOf(principal, 300n)));
  await ledger.charge(chargeOf(hold, 200n));
  const movement = movementOf(principal.accountId, "while a lease is open");
  for (const posted of [true, false]) {
    const answer = await postMovement(books.owner.db, movement);
    expect(answer).toMatchObject({ posted, balanceNanos: toNanos(9_900n) });
  }
  expect(await books.shown(principal.accountId)).toMatchObject({ balance: 9_900n });
  expect(await ledger.drain(60_000)).toBe(true);
  const later = await postMovement(books.owner.db, movement);
  expect(later).toMatchObject({ posted: false, balanceNanos: toNanos(9_900n) });
});

test("an idempotency key moves its money once, however often and concurrently it is repeated", async () => {
  const { accountId } = await books.newPrincipal(0n);
  const movement = movementOf(accountId, "retried");
  const posted = await Promise.all(
    Array.from({ length: 5 }, () => postMovement(books.owner.db, movement)),
  );
  expect(posted.filter((each) => each.posted)).toHaveLength(1);
  expect(new Set(posted.map(({ transactionId }) => transactionId)).size).toBe(1);
  expect(await books.money(accountId)).toMatchObject({ balance: 100n });
});

test("a key used before for another movement is a conflict, and nothing moves", async () => {
  const { accountId } = await books.newPrincipal(0n);
  const { accountId: otherId } = await books.newPrincipal(0n);
  const movement = movementOf(accountId, "reused");
  await postMovement(books.owner.db, movement);
  const others: readonly Partial<Movement>[] = [
    { amountNanos: toNanos(101n) },
    { amountNanos: toNanos(-100n) },
    { accountId: otherId },
    { kind: "refund", book: "refunds" },
  ];
  for (const change of others) {
    const posting = postMovement(books.owner.db, { ...movement, ...change });
    expect(await posting.catch((error) => error instanceof Fault && error.code)).toBe("conflict");
  }
  // The reason and the actor may be worded differently.
  const retried = await postMovement(books.owner.db, { ...movement, reason: "r", actor: "a" });
  expect(retried.posted).toBe(false);
  expect(await books.money(accountId)).toMatchObject({ balance: 100n });
  expect(await books.money(otherId)).toMatchObject({ balance: 0n });
});

function movementOf(accountId: AccountId, idempotencyKey: string): Movement {
  return {
    accountId,
    amountNanos: toNanos(100n),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey,
    reason: "Test",
    actor: "test",
  };
}

test("the checker finds an account whose credits are not its entries", async () => {
  const { accountId } = await books.newPrincipal(1_000n);
  const change = (by: number) =>
    books.owner.sql`
      update accounts set credited_nanos = credited_nanos + ${by}::int where id = ${accountId}`;
  await change(1);
  expect(await checkBooks(books.owner.db)).toEqual([
    { check: "what was put in is not the sum of its entries", key: accountId },
  ]);
  await change(-1);
});
