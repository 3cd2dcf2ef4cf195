// The state of an order after each state Stripe can report for its checkout, read without any event.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { workInbox } from "../inbox/work-inbox.ts";
import {
  openTestBilling,
  type StartedPayment,
  type TestBilling,
} from "../open-test-billing.fixture.ts";
import { recheckTopUp } from "../reconciliation/recheck-top-up.ts";
import { followTopUp } from "./follow-top-up.ts";

const dollars = 1_000_000_000n;
let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
});
afterAll(() => site.close());

/** As a worker does for an event, or the reconciliation without one. */
async function follow({ topUpId }: Pick<StartedPayment, "topUpId">): Promise<void> {
  const { stripe } = site.billing;
  if (stripe === undefined) throw new Error("billing has no Stripe");
  await followTopUp(site.app.db, site.billing, stripe, { topUpId });
}

async function stateOf({ topUpId }: Pick<StartedPayment, "topUpId">): Promise<unknown> {
  const [row] = await site.owner.sql`
    select state, failure_reason as reason from top_ups where id = ${topUpId}`;
  return row;
}

test("a checkout that is still open leaves its order pending", async () => {
  const started = await site.start(await site.newPayer(), "20");
  await follow(started);
  expect(await stateOf(started)).toEqual({ state: "pending", reason: null });
});

test("a card that was refused in an open checkout leaves Stripe's reason, until another try is paid", async () => {
  const payer = await site.newPayer();
  const started = await site.start(payer, "20");
  const { stripe } = site.billing;
  if (stripe === undefined) throw new Error("billing has no Stripe");
  const failure = "Your card has insufficient funds.";
  const intent = { id: "pi_refused", status: "requires_payment_method", failure, card: null };
  const refusing = {
    ...stripe,
    readPayment: async (sessionId: string) => ({
      ...(await stripe.readPayment(sessionId)),
      intent: { ...intent, failureCode: "card_declined" },
    }),
  };
  // No event told of it.
  await followTopUp(site.app.db, site.billing, refusing, { topUpId: started.topUpId });
  expect(await stateOf(started)).toEqual({ state: "pending", reason: failure });
  site.stripe.pay(started.sessionId);
  await follow(started);
  expect(await stateOf(started)).toEqual({ state: "paid", reason: null });
});

test("a completed checkout whose payment is pending is processing", async () => {
  const started = await site.start(await site.newPayer(), "20");
  site.stripe.payLater(started.sessionId);
  await follow(started);
  expect(await stateOf(started)).toEqual({ state: "processing", reason: null });
});

test("what was set aside is not credited by a later event, only by an operator", async () => {
  const payer = await site.newPayer();
  const started = await site.start(payer, "20");
  site.stripe.pay(started.sessionId);
  site.stripe.mutate(started.sessionId, { amount_total: 1 });
  await follow(started);
  expect(await stateOf(started)).toEqual({ state: "quarantined", reason: "amount_total" });
  site.stripe.mutate(started.sessionId, { amount_total: 2_000 });
  await follow(started);
  expect(await stateOf(started)).toEqual({ state: "quarantined", reason: "amount_total" });
  expect(await site.balance(payer)).toBe(0n);
  await recheckTopUp(site.app.db, site.billing, started.topUpId);
  expect(await site.balance(payer)).toBe(20n * dollars);
  const rechecks = await site.app.sql`
    select actor_kind from audit_log
     where action = 'top_up.recheck' and object_id = ${started.topUpId}`;
  expect(rechecks).toMatchObject([{ actor_kind: "operator" }]);
});

test("payments set aside, credits and events given up are counted for the operator", async () => {
  const counted: string[] = [];
  const meters = {
    countTopUp: (nanos: bigint) => void counted.push(`credited ${nanos}`),
    countQuarantined: () => void counted.push("set aside"),
    countDeadEvent: () => void counted.push("given up"),
  };
  const billing = site.openBilling({ meters });
  const { stripe } = billing;
  if (stripe === undefined) throw new Error("billing has no Stripe");
  const { topUpId, sessionId } = await site.start(await site.newPayer(), "20");
  site.stripe.pay(sessionId);
  site.stripe.mutate(sessionId, { amount_total: 1 });
  await followTopUp(site.app.db, billing, stripe, { topUpId });
  site.stripe.mutate(sessionId, { amount_total: 2_000 });
  await recheckTopUp(site.app.db, billing, topUpId);
  const other = await site.start(await site.newPayer(), "10");
  site.stripe.pay(other.sessionId);
  await site.receiveAll();
  await site.owner.sql`update stripe_inbox set attempts = 7`;
  const recover = site.stripe.breakDown(500);
  await workInbox(site.app.db, billing);
  recover();
  expect(counted.slice(0, 2)).toEqual(["set aside", "credited 20000000000"]);
  expect(new Set(counted.slice(2))).toEqual(new Set(["given up"]));
});

test("a canceled order stays canceled while nothing was paid, and is credited once it was", async () => {
  const payer = await site.newPayer();
  const started = await site.start(payer, "20");
  await site.owner.sql`update top_ups set state = 'canceled' where id = ${started.topUpId}`;
  await follow(started);
  expect(await stateOf(started)).toMatchObject({ state: "canceled" });
  site.stripe.payLater(started.sessionId);
  await follow(started);
  expect(await stateOf(started)).toMatchObject({ state: "processing" });
  site.stripe.settle(started.sessionId, "succeeded");
  await follow(started);
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("a dispute of a single cent is deducted too", async () => {
  const payer = await site.newPayer();
  const started = await site.start(payer, "20");
  const intent = site.stripe.pay(started.sessionId);
  site.stripe.withdrawFunds(site.stripe.dispute(intent, 1));
  await follow(started);
  expect(await site.balance(payer)).toBe(19_990_000_000n);
});

test("refunds and disputes are posted separately, each with its reason", async () => {
  const payer = await site.newPayer();
  const started = await site.start(payer, "20");
  const intent = site.stripe.pay(started.sessionId);
  site.stripe.refund(intent, 500);
  const dispute = site.stripe.dispute(intent, 300);
  site.stripe.withdrawFunds(dispute);
  await follow(started);
  site.stripe.reinstateFunds(dispute);
  await follow(started);
  const booked = await site.owner.sql`
    select t.kind, t.reason, house.book, house.amount_nanos::text as amount
      from entries own join ledger_transactions t on t.id = own.transaction_id
      join entries house on house.transaction_id = t.id and house.book <> 'account'
     where own.account_id = ${payer.accountId} and t.kind <> 'top_up'
     order by house.amount_nanos`;
  const { topUpId } = started;
  const reversal = `Reversal of top-up ${topUpId}`;
  expect([...booked]).toEqual([
    {
      kind: "dispute",
      reason: `Reinstatement of top-up ${topUpId}`,
      book: "disputes",
      amount: "-3000000000",
    },
    { kind: "dispute", reason: reversal, book: "disputes", amount: "3000000000" },
    { kind: "refund", reason: reversal, book: "refunds", amount: "5000000000" },
  ]);
});

test("Stripe receives the payer's address, for its receipts", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "20");
  const { customer } = site.stripe.books.sessions.get(sessionId) ?? {};
  const created = site.stripe.calls.filter(({ path }) => path === "/customers");
  expect(created.at(-1)?.form).toMatchObject({
    email: payer.email,
    metadata: { account_id: payer.accountId },
  });
  expect(customer).toBe([...site.stripe.books.customers.keys()].at(-1) ?? "");
});

test.each([
  [7, { state: "paid" }],
  [8, { state: "pending" }],
])(
  "an order that changes %d times while Stripe is read ends up as Stripe reports, or fails after eight tries",
  async (changes, expected) => {
    const { stripe } = site.billing;
    if (stripe === undefined) throw new Error("billing has no Stripe");
    const payer = await site.newPayer();
    const { topUpId, sessionId } = await site.start(payer, "20");
    site.stripe.pay(sessionId);
    let reads = 0;
    const overtaken = {
      ...stripe,
      async readPayment(id: string) {
        const payment = await stripe.readPayment(id);
        reads += 1;
        if (reads <= changes) {
          await site.owner.sql`update top_ups set version = version + 1 where id = ${topUpId}`;
        }
        return payment;
      },
    };
    const following = followTopUp(site.app.db, site.billing, overtaken, { topUpId });
    if (changes < 8) await following;
    else await expect(following).rejects.toThrow(`top-up ${topUpId} keeps changing`);
    expect(reads).toBe(8);
    expect(await stateOf({ topUpId })).toMatchObject(expected);
    expect(await site.balance(payer)).toBe(changes < 8 ? 20n * dollars : 0n);
  },
);
