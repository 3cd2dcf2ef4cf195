// How a top-up follows Stripe: credited once and for our own amount, reversed as Stripe reversed it, and
// quarantined if anything does not match.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { recheckTopUp } from "../reconciliation/recheck-top-up.ts";
import { findOrderById } from "./find-order.ts";
import { queryTopUp } from "./query-top-up.ts";

const dollars = 1_000_000_000n;

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
});
afterAll(() => site.close());

/** Receives everything Stripe has sent so far and processes it. */
async function receiveEvents(): Promise<void> {
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
}

const read = (payer: Payer, topUpId: Awaited<ReturnType<TestBilling["start"]>>["topUpId"]) =>
  queryTopUp(site.app.db, payer.accountId, topUpId);

async function frozen(payer: Payer): Promise<boolean> {
  const [row] = await site.owner.sql<{ frozen: boolean }[]>`
    select frozen_at is not null as frozen from accounts where id = ${payer.accountId}`;
  return row?.frozen ?? false;
}

async function mails(payer: Payer): Promise<unknown[]> {
  const rows = await site.owner.sql<{ message: unknown }[]>`
    select message from outbox where recipient = ${payer.email}`;
  return rows.map(({ message }) => message);
}

test("a payment is credited once, to the cent, with one receipt, however often it is reported", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "10.01");
  site.stripe.pay(sessionId);
  await receiveEvents();
  await receiveEvents();
  await recheckTopUp(site.app.db, site.billing, topUpId);
  expect(await read(payer, topUpId)).toMatchObject({
    state: "paid",
    creditedNanos: 10_010_000_000n,
    receiptUrl: expect.stringContaining("https://pay.stripe.com/receipts/"),
  });
  expect(await site.balance(payer)).toBe(10_010_000_000n);
  expect(await mails(payer)).toEqual([
    expect.objectContaining({
      kind: "receipt",
      amountUsd: "10.01",
      balanceUsd: "10.01",
      topUpLink: expect.stringMatching(
        new RegExp(`^https://turnpike.example/a/[\\w-]+/wallet/top-ups/${topUpId}$`),
      ),
    }),
  ]);
});

test("a payment by bank is processing until it clears", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  site.stripe.payLater(sessionId);
  await receiveEvents();
  expect(await read(payer, topUpId)).toMatchObject({ state: "processing", creditedNanos: 0n });
  expect(await site.balance(payer)).toBe(0n);
  site.stripe.settle(sessionId, "succeeded");
  await receiveEvents();
  expect((await read(payer, topUpId)).state).toBe("paid");
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("a payment by bank that fails says why and credits nothing", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  site.stripe.payLater(sessionId);
  site.stripe.settle(sessionId, "failed");
  await receiveEvents();
  expect(await read(payer, topUpId)).toMatchObject({
    state: "failed",
    failureReason: "The bank refused the payment.",
    creditedNanos: 0n,
  });
  expect(await site.balance(payer)).toBe(0n);
});

test("an unpaid checkout expires", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  site.stripe.expire(sessionId);
  await receiveEvents();
  expect((await read(payer, topUpId)).state).toBe("expired");
});

test("partial refunds add up, and one that fails is given back", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  await receiveEvents();
  site.stripe.refund(intent, 501);
  const second = site.stripe.refund(intent, 400);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(10_990_000_000n);
  site.stripe.failRefund(second);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(14_990_000_000n);
  expect(await read(payer, topUpId)).toMatchObject({ reversedNanos: 5_010_000_000n });
});

test("a refund reported before its payment credits and reverses together", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  site.stripe.refund(intent, 2_000);
  for (const event of site.stripe.events.filter(({ type }) => type === "charge.refunded")) {
    await site.receive(event);
  }
  await workInbox(site.app.db, site.billing);
  expect(await read(payer, topUpId)).toMatchObject({
    state: "paid",
    creditedNanos: 20n * dollars,
    reversedNanos: 20n * dollars,
  });
  expect(await site.balance(payer)).toBe(0n);
});

test("a dispute takes the money when Stripe does, and a won one returns it", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  const dispute = site.stripe.dispute(intent, 2_000);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(20n * dollars);
  site.stripe.withdrawFunds(dispute);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(0n);
  site.stripe.reinstateFunds(dispute);
  site.stripe.closeDispute(dispute, "won");
  await receiveEvents();
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("a dispute that waits for evidence says until when, and no longer once it is closed", async () => {
  const payer = await site.newPayer();
  const { sessionId, topUpId } = await site.start(payer, "20");
  const dispute = site.stripe.dispute(site.stripe.pay(sessionId), 2_000);
  await receiveEvents();
  const queryDue = async () => (await findOrderById(site.owner.db, topUpId))?.evidenceDueAt;
  expect(Number(await queryDue())).toBeGreaterThan(Date.now());
  site.stripe.closeDispute(dispute, "lost");
  await receiveEvents();
  expect(await queryDue()).toBeNull();
});

test("a dispute over spent money freezes the account, and a won one unfreezes it", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  await receiveEvents();
  await site.owner.sql`select post_movement(${crypto.randomUUID()}::uuid, 'adjustment',
    ${crypto.randomUUID()}, 'spent', 'test', ${payer.accountId}::uuid, ${-5_000_000_000}, 'adjustments')`;
  const dispute = site.stripe.dispute(intent, 2_000);
  site.stripe.withdrawFunds(dispute);
  await receiveEvents();
  expect([await site.balance(payer), await frozen(payer)]).toEqual([-5n * dollars, true]);
  site.stripe.reinstateFunds(dispute);
  await receiveEvents();
  expect([await site.balance(payer), await frozen(payer)]).toEqual([15n * dollars, false]);
});

test("a refund and a dispute together never take more than was credited", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  site.stripe.refund(intent, 1_500);
  site.stripe.withdrawFunds(site.stripe.dispute(intent, 2_000));
  await receiveEvents();
  expect(await read(payer, topUpId)).toMatchObject({ reversedNanos: 20n * dollars });
  expect(await site.balance(payer)).toBe(0n);
});

test("an old answer of Stripe that arrives late does not undo a newer one", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  const intent = site.stripe.pay(sessionId);
  const refund = site.stripe.refund(intent, 700);
  const held = site.stripe.hold(/^\/charges$/);
  const late = recheckTopUp(site.app.db, site.billing, topUpId);
  await held.called;
  // An answer of Stripe that says "7 refunded" is still under way; now the refund fails.
  site.stripe.failRefund(refund);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(20n * dollars);
  held.release();
  await late;
  expect(await site.balance(payer)).toBe(20n * dollars);
});

const other = "0190b4f0-0000-7000-8000-000000000000";

test.each([
  ["amount_total", { amount_total: 1 }],
  ["currency", { currency: "jpy" }],
  ["livemode", { livemode: true }],
  ["client_reference_id", { client_reference_id: other }],
  ["another account", { metadata: { top_up_id: "", account_id: other } }],
  ["no metadata", { metadata: {} }],
  ["customer", { customer: "cus_of_somebody_else" }],
  ["payment_status", { payment_status: "no_payment_required" as const }],
])("a payment with the wrong %s is set aside: nothing is credited", async (_, changes) => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  site.stripe.pay(sessionId);
  const right = structuredClone(site.stripe.books.sessions.get(sessionId));
  site.stripe.mutate(sessionId, changes);
  await receiveEvents();
  const [row] = await site.owner.sql`select state from top_ups where id = ${topUpId}`;
  expect(row?.state).toBe("quarantined");
  expect(await read(payer, topUpId)).toMatchObject({ state: "processing", failureReason: null });
  expect(await site.balance(payer)).toBe(0n);
  expect(await mails(payer)).toEqual([]);
  // What was set aside stays so until an operator looks again.
  site.stripe.mutate(sessionId, right ?? {});
  await receiveEvents();
  expect(await site.balance(payer)).toBe(0n);
  await recheckTopUp(site.app.db, site.billing, topUpId);
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("a session that is not ours cannot pay for an order by naming it", async () => {
  const payer = await site.newPayer();
  const { topUpId } = await site.start(payer, "500");
  const cheap = await site.start(payer, "5");
  site.stripe.mutate(cheap.sessionId, { client_reference_id: topUpId, metadata: {} });
  await site.owner.sql`
    update top_ups set checkout_session_id = null where id = ${cheap.topUpId}`;
  site.stripe.pay(cheap.sessionId);
  await receiveEvents();
  expect(await site.balance(payer)).toBe(0n);
  expect((await read(payer, topUpId)).state).toBe("pending");
});

test("a payment credited to one order is never credited to another, of any account", async () => {
  const payer = await site.newPayer();
  const first = await site.start(payer, "20");
  site.stripe.pay(first.sessionId);
  await receiveEvents();
  const paid = site.stripe.books.sessions.get(first.sessionId)?.payment_intent ?? null;
  const others = [
    await site.start(payer, "20"),
    await site.start(payer, "30"),
    await site.start(await site.newPayer(), "20"),
  ];
  for (const { sessionId, topUpId } of others) {
    site.stripe.pay(sessionId);
    site.stripe.mutate(sessionId, { payment_intent: paid });
    await receiveEvents();
    const [row] = await site.owner.sql`select state from top_ups where id = ${topUpId}`;
    expect(row?.state).toBe("quarantined");
  }
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("a checkout whose creation response was lost is found by its payment", async () => {
  const payer = await site.newPayer();
  const { topUpId, sessionId } = await site.start(payer, "20");
  await site.owner.sql`
    update top_ups set checkout_session_id = null, checkout_url = null, state = 'created'
     where id = ${topUpId}`;
  site.stripe.pay(sessionId);
  await receiveEvents();
  expect((await read(payer, topUpId)).state).toBe("paid");
  expect(await site.balance(payer)).toBe(20n * dollars);
});
