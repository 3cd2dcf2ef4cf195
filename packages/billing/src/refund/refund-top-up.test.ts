// A refund by an operator: Stripe is asked for it once, the books follow, and the account never owes for it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TopUpId } from "@turnpike/base";
import { parseUsd } from "@turnpike/terms";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { refundTopUp } from "./refund-top-up.ts";

let books: TestBilling;
beforeAll(async () => {
  books = await openTestBilling();
});
afterAll(async () => {
  expect(await books.check()).toEqual([]);
  await books.close();
});

const by = { kind: "operator", name: "grace@example.com", reason: "ticket 7" } as const;

async function pay(amountUsd: string): Promise<{ payer: Payer; topUpId: TopUpId }> {
  const payer = await books.newPayer();
  const { topUpId, sessionId } = await books.start(payer, amountUsd);
  books.stripe.pay(sessionId);
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  return { payer, topUpId };
}

/** What the order has lost so far, or the fault. */
async function refund(topUpId: TopUpId, idempotencyKey: string, usd?: string) {
  const amountNanos = usd === undefined ? undefined : parseUsd(usd);
  return refundTopUp(books.app.db, books.billing, {
    topUpId,
    amountNanos,
    idempotencyKey,
    by,
  }).then(
    ({ reversedNanos }) => reversedNanos / 10_000_000n,
    (fault) => fault.code,
  );
}

test("a part and the rest are refunded, each once per idempotency key, also at the same moment", async () => {
  const { payer, topUpId } = await pay("20");
  const parts = await Promise.all([1, 2, 3].map(() => refund(topUpId, "part", "5")));
  expect(new Set(parts)).toEqual(new Set([500n]));
  expect(await refund(topUpId, "part", "5")).toBe(500n);
  expect(await refund(topUpId, "part", "6")).toBe("conflict");
  expect(await refund(topUpId, "rest")).toBe(2000n);
  expect(await refund(topUpId, "more", "0.01")).toBe("conflict");
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  expect(await books.balance(payer)).toBe(0n);
  const lines = await books.owner.sql`
    select actor_name, changes from audit_log where account_id = ${payer.accountId} and action = 'top_up.refund' order by id`;
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    actor_name: by.name,
    changes: { usd: [null, "5"], reason: [null, by.reason] },
  });
});

test("what the account has spent is not refunded, and Stripe is not asked", async () => {
  const { payer, topUpId } = await pay("10");
  await books.owner.sql`
    select * from post_movement(gen_random_uuid(), 'adjustment', ${crypto.randomUUID()}, 'spent', 'test',
      ${payer.accountId}, -4000000000, 'adjustments')`;
  expect(await refund(topUpId, "all")).toBe("conflict");
  expect(await refund(topUpId, "left", "6")).toBe(600n);
  expect(await books.balance(payer)).toBe(0n);
});

test("only a payment of Stripe is refunded", async () => {
  const payer = await books.newPayer();
  const { topUpId } = await books.start(payer, "10");
  expect(await refund(topUpId, "unpaid")).toBe("conflict");
  expect(await refund(crypto.randomUUID() as TopUpId, "unknown")).toBe("not_found");
});

async function payTwice(): Promise<{ payer: Payer; topUpIds: readonly TopUpId[] }> {
  const { payer, topUpId } = await pay("10");
  const second = await books.start(payer, "10");
  books.stripe.pay(second.sessionId);
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  return { payer, topUpIds: [topUpId, second.topUpId] };
}

async function spend(payer: Payer, nanos: bigint): Promise<void> {
  await books.owner.sql`
    select * from post_movement(gen_random_uuid(), 'adjustment', ${crypto.randomUUID()}, 'spent', 'test',
      ${payer.accountId}, ${`-${nanos}`}, 'adjustments')`;
}

const refundedAtStripe = (payer: Payer) => {
  const { charges, customers, refunds } = books.stripe.books;
  const own = [...charges.values()].filter(
    ({ customer }) => customers.get(customer ?? "")?.metadata.account_id === payer.accountId,
  );
  const ids = new Set(own.map(({ id }) => id));
  return [...refunds.values()].filter(({ charge }) => ids.has(charge)).map(({ amount }) => amount);
};

test("two refunds of two top-ups at the same moment never take more than is left", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { payer, topUpIds } = await payTwice();
    await spend(payer, 10_000_000_000n);
    const outcomes = await Promise.all(topUpIds.map((id) => refund(id, "all")));
    expect(outcomes.toSorted()).toEqual([1000n, "conflict"]);
    expect(await books.balance(payer)).toBe(0n);
    expect(refundedAtStripe(payer)).toEqual([1000]);
    const [account] = await books.owner.sql`
      select frozen_at from accounts where id = ${payer.accountId}`;
    expect(account?.frozen_at).toBeNull();
  }
});

test("two refunds at the same moment are both made where the balance covers both", async () => {
  const { payer, topUpIds } = await payTwice();
  expect(await Promise.all(topUpIds.map((id) => refund(id, "all")))).toEqual([1000n, 1000n]);
  const { payer: other, topUpId } = await pay("20");
  const parts = await Promise.all(["a", "b", "c"].map((key) => refund(topUpId, key, "5")));
  expect(parts).toEqual(expect.arrayContaining([1500n]));
  expect([await books.balance(payer), await books.balance(other)]).toEqual([0n, 5_000_000_000n]);
  expect(refundedAtStripe(other)).toEqual([500, 500, 500]);
});

test("a refund is taken from the balance before Stripe is asked, and stays taken whatever is reported", async () => {
  const { payer, topUpIds } = await payTwice();
  await spend(payer, 10_000_000_000n);
  const [first, second] = topUpIds;
  if (first === undefined || second === undefined) throw new Error("there is no top-up");
  const held = books.stripe.hold(/^\/refunds$/);
  const refunding = refund(first, "all");
  await held.called;
  expect(await books.balance(payer)).toBe(0n);
  expect(await refund(second, "all")).toBe("conflict");
  await books.receiveAll();
  await workInbox(books.app.db, books.billing);
  expect(await books.balance(payer)).toBe(0n);
  held.release();
  expect(await refunding).toBe(1000n);
  expect(refundedAtStripe(payer)).toEqual([1000]);
});

test("what Stripe refuses to refund is returned, and may be asked for again", async () => {
  const { payer, topUpId } = await pay("10");
  const intent = [...books.stripe.books.charges.values()].findLast(({ amount }) => amount === 1000);
  const refuse = books.stripe.breakDown(400, /^\/refunds$/);
  expect(await refund(topUpId, "all")).toBe("conflict");
  refuse();
  expect(await books.balance(payer)).toBe(10_000_000_000n);
  expect(intent?.amount_refunded).toBe(0);
  expect(await refund(topUpId, "all")).toBe(1000n);
  expect(await books.balance(payer)).toBe(0n);
  const actions = await books.owner.sql<{ action: string }[]>`
    select action from audit_log where account_id = ${payer.accountId}
       and action like 'top_up.refund%' order by id`;
  expect(actions.map(({ action }) => action)).toEqual([
    "top_up.refund",
    "top_up.refund_refused",
    "top_up.refund",
    "top_up.refund_made",
  ]);
});

test("a refund that Stripe refuses is asked for again as another one, with the same key", async () => {
  const { payer, topUpId } = await pay("10");
  const [order] = await books.owner.sql<{ intent: string }[]>`
    select payment_intent_id as intent from top_ups where id = ${topUpId}`;
  // Its event has not arrived, so the desk asks for more than there is.
  books.stripe.refund(order?.intent ?? "", 400);
  expect(await refund(topUpId, "all")).toBe("conflict");
  expect(await books.balance(payer)).toBe(6_000_000_000n);
  expect(await refund(topUpId, "all")).toBe(1000n);
  expect(await books.balance(payer)).toBe(0n);
  expect(refundedAtStripe(payer)).toEqual([400, 600]);
});

test("a refund whose process died is finished once by the next reconciliation", async () => {
  const { payer, topUpId } = await pay("10");
  const repair = books.stripe.breakDown(500, /^\/refunds$/);
  expect(await refund(topUpId, "all", "4")).not.toBe(400n);
  repair();
  expect(await books.balance(payer)).toBe(6_000_000_000n);
  await reconcile(books.app.db, books.billing);
  expect(refundedAtStripe(payer)).toEqual([]);
  await books.owner.sql`
    update top_ups set updated_at = now() - interval '3 minutes' where id = ${topUpId}`;
  await reconcile(books.app.db, books.billing);
  await reconcile(books.app.db, books.billing);
  expect(refundedAtStripe(payer)).toEqual([400]);
  expect(await books.balance(payer)).toBe(6_000_000_000n);
  const [order] = await books.owner.sql`
    select refund_claimed_nanos::text as claimed from top_ups where id = ${topUpId}`;
  expect(order?.claimed).toBe("0");
  expect(await refund(topUpId, "all", "4")).toBe(400n);
  expect(refundedAtStripe(payer)).toEqual([400]);
});
