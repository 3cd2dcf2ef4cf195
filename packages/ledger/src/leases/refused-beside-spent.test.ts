// What a refusal says is held by others is what running calls hold, not what open leases have already spent: a call
// that waits for money that was spent would wait for nothing.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
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

const nothingHeld = { elsewhereNanos: toNanos(0n), resetsAt: null };

/** An account with 2,000 left of 10,000: the rest is spent, and its lease is open. */
async function spendMost() {
  const ledger = books.openLedger();
  const principal = await books.newPrincipal(10_000n);
  const hold = grantOf(await ledger.hold(holdOf(principal, 9_000n)));
  await ledger.charge(chargeOf(hold, 8_000n));
  return { ledger, principal };
}

test("a call is refused for its balance, not for running calls, when open leases have spent the rest", async () => {
  const { ledger, principal } = await spendMost();
  expect(await ledger.hold(holdOf(principal, 5_000n))).toEqual({
    verdict: "balance",
    availableNanos: toNanos(2_000n),
    ...nothingHeld,
  });
  const allOrNothing = { allOrNothing: true, floorNanos: toNanos(1n) };
  expect(await ledger.hold(holdOf(principal, 5_000n, allOrNothing))).toEqual({
    verdict: "clamped",
    availableNanos: toNanos(2_000n),
    ...nothingHeld,
  });
});

test("beside what is spent, only what a running call holds is in flight", async () => {
  const { ledger, principal } = await spendMost();
  const other: Principal = { ...principal, keyId: await books.newKey(principal.accountId) };
  const running = grantOf(await ledger.hold(holdOf(other, 1_500n)));
  expect(await ledger.hold(holdOf(principal, 2_000n))).toEqual({
    verdict: "in_flight",
    availableNanos: toNanos(500n),
    elsewhereNanos: toNanos(1_500n),
    resetsAt: null,
  });
  expect(await ledger.hold(holdOf(principal, 2_001n))).toMatchObject({ verdict: "balance" });
  await ledger.charge(chargeOf(running, 0n, { state: "released" }));
});
