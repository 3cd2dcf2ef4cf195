// Settlements that come after their hold was given up, several of one account in one batch: each counts
// what the one before it took, of the balance and of the key's limits.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { noFailpoint } from "@turnpike/base";
import type { HoldRequest } from "./hold.ts";
import type { Ledger } from "./open-ledger.ts";
import {
  grantOf,
  holdOf,
  type KeyLimits,
  openTestBooks,
  type Spender,
  settlementOf,
  type TestBooks,
} from "./open-test-books.ts";
import { settleHolds } from "./settle-holds.ts";

let books: TestBooks;
let ledger: Ledger;
beforeAll(async () => {
  books = await openTestBooks();
  ledger = books.openLedger();
});
afterAll(() => books.close());
afterEach(async () => expect(await books.check()).toEqual([]));

/** Two expired holds of 400 each, beside one of 500 that still runs. */
async function expireTwo(balance: bigint, limits?: KeyLimits) {
  const spender = await books.newSpender(balance, limits);
  const late = [holdOf(spender, 400n), holdOf(spender, 400n)];
  for (const hold of late) await place(hold);
  for (const { id } of late) {
    await books.owner
      .sql`update requests set expires_at = now() - interval '1 second' where id = ${id}`;
  }
  expect(await ledger.reapHolds({ silentMs: 60_000, limit: 100 })).toBe(2);
  await place(holdOf(spender, 500n));
  return { spender, late };
}

async function place(hold: HoldRequest): Promise<void> {
  grantOf(await ledger.placeHold(hold));
}

async function settleBatch(late: readonly HoldRequest[]) {
  const batch = late.map((hold) => settlementOf(hold, 400n));
  const ended = await settleHolds(books.app.sql, batch, { wait: true, failpoint: noFailpoint });
  return ended.map((settled) =>
    settled === "busy" ? "busy" : [settled.verdict, settled.chargedNanos, settled.shortfallNanos],
  );
}

const first = ["late_settled", 400n, 0n];

test("the second of two late settlements takes only what the first left of the balance", async () => {
  const { spender, late } = await expireTwo(1_000n);
  expect<unknown>(await settleBatch(late)).toEqual([first, ["late_settled", 100n, 300n]]);
  expect(await money(spender)).toMatchObject({ balance: 500n, held: 500n, frozen: false });
});

test.each(["day", "week", "month", "total"] as const)(
  "the second of two late settlements takes only what the first left of the key's limit per %s",
  async (period) => {
    const { spender, late } = await expireTwo(10_000n, { [period]: 1_000n });
    expect<unknown>(await settleBatch(late)).toEqual([first, ["late_settled", 100n, 300n]]);
    expect(await money(spender)).toMatchObject({ balance: 9_500n, held: 500n });
    expect(await books.counters(spender.keyId)).toMatchObject({
      [`${period}_spent`]: 500n,
      [`${period}_held`]: 500n,
    });
  },
);

test("late settlements of two keys in one batch count each against its own key's limit", async () => {
  const { spender, late } = await expireTwo(10_000n, { total: 1_000n });
  const keyId = await books.newKey(spender.accountId, { total: 400n });
  const other = holdOf({ ...spender, keyId }, 400n);
  await place(other);
  await books.owner
    .sql`update requests set expires_at = now() - interval '1 second' where id = ${other.id}`;
  expect(await ledger.reapHolds({ silentMs: 60_000, limit: 100 })).toBe(1);
  const [one] = late;
  if (one === undefined) throw new Error("no hold");
  expect<unknown>(await settleBatch([one, other])).toEqual([first, first]);
  expect(await books.counters(spender.keyId)).toMatchObject({ total_spent: 400n });
  expect(await books.counters(keyId)).toMatchObject({ total_spent: 400n });
});

test("an open hold settled in the same batch gives its rest to the late one behind it", async () => {
  const spender = await books.newSpender(1_000n);
  const [late, open] = [holdOf(spender, 400n), holdOf(spender, 1_000n)];
  await place(late);
  await books.owner
    .sql`update requests set expires_at = now() - interval '1 second' where id = ${late.id}`;
  expect(await ledger.reapHolds({ silentMs: 60_000, limit: 100 })).toBe(1);
  await place(open);
  expect<unknown>(await settleBatch([open, late])).toEqual([["settled", 400n, 0n], first]);
  expect(await money(spender)).toMatchObject({ balance: 200n, held: 0n });
});

function money({ accountId }: Spender) {
  return books.money(accountId);
}
