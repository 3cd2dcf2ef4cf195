// Payments that do not belong to an order, and those never reported to us: a refund of another payment
// reverses nothing, a dispute counts in the order's currency, and unreported money is found.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type TestBilling } from "../open-test-billing.fixture.ts";
import { followTopUp } from "../top-up/follow-top-up.ts";
import { queryTopUp } from "../top-up/query-top-up.ts";
import { reconcile } from "./reconcile.ts";

const dollars = 1_000_000_000n;
let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
});
afterAll(() => site.close());

async function receiveEvents(): Promise<void> {
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
}

test("a refund or dispute of another payment takes nothing from an order it names", async () => {
  const payer = await site.newPayer();
  const paid = await site.start(payer, "20");
  site.stripe.pay(paid.sessionId);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(20n * dollars);
  const other = await site.start(await site.newPayer(), "20");
  const intent = site.stripe.pay(other.sessionId);
  site.stripe.mutate(other.sessionId, { client_reference_id: paid.topUpId });
  site.stripe.refund(intent, 1_500);
  site.stripe.withdrawFunds(site.stripe.dispute(intent, 500));
  const { stripe } = site.billing;
  if (stripe === undefined) throw new Error("billing has no Stripe");
  const { topUpId } = paid;
  await followTopUp(site.app.db, site.billing, stripe, { topUpId, sessionId: other.sessionId });
  expect(await site.balance(payer)).toBe(20n * dollars);
  expect(await queryTopUp(site.app.db, payer.accountId, topUpId)).toMatchObject({
    state: "paid",
    reversedNanos: 0n,
  });
});

/** Stripe pays out in another currency: its balance transactions are then in that one. */
function payOutInEuro(disputeId: string): void {
  const dispute = site.stripe.books.disputes.get(disputeId);
  if (dispute === undefined) throw new Error(`there is no dispute ${disputeId}`);
  for (const transaction of dispute.balance_transactions) {
    transaction.currency = "eur";
    transaction.amount = Math.round(transaction.amount * 0.9);
  }
}

test("a dispute paid out in another currency takes its amount in ours, and a won one returns it", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  const dispute = site.stripe.dispute(intent, 1_200);
  site.stripe.withdrawFunds(dispute);
  payOutInEuro(dispute);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(8n * dollars);
  site.stripe.reinstateFunds(dispute);
  const returned = site.stripe.books.disputes.get(dispute)?.balance_transactions.at(-1);
  if (returned === undefined) throw new Error("nothing was returned");
  Object.assign(returned, { currency: "eur", amount: 1_080 });
  site.stripe.closeDispute(dispute, "won");
  await receiveEvents();
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("only the amount of a dispute is taken, even if it cost more", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  const dispute = site.stripe.dispute(intent, 1_200);
  site.stripe.withdrawFunds(dispute);
  site.stripe.books.disputes.get(dispute)?.balance_transactions.push({
    id: "txn_fee",
    object: "balance_transaction",
    amount: -100,
    currency: "usd",
    fee: 0,
    net: -100,
    type: "adjustment",
  });
  await receiveEvents();
  expect(await site.balance(payer)).toBe(8n * dollars);
});

test.each(["expired", "canceled", "created"] as const)(
  "money that arrived for an order marked %s is credited, although its event was lost",
  async (state) => {
    const payer = await site.newPayer();
    const { topUpId, sessionId } = await site.start(payer, "20");
    await site.owner.sql`update top_ups set state = ${state} where id = ${topUpId}`;
    site.stripe.pay(sessionId);
    site.stripe.books.events.splice(0);
    await reconcile(site.app.db, site.billing);
    expect(await site.balance(payer)).toBe(20n * dollars);
    expect((await queryTopUp(site.app.db, payer.accountId, topUpId)).state).toBe("paid");
  },
);
