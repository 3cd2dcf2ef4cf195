// A top-up begins with our own order: what is refused, what is repeated, and what happens while Stripe
// is unreachable.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { accountLimits, queryAccountPath } from "@turnpike/accounts";
import { Fault, newId, type TopUpId } from "@turnpike/base";
import { sql } from "drizzle-orm";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { cancelTopUp } from "./cancel-top-up.ts";
import { createTopUp } from "./create-top-up.ts";
import { queryTopUp } from "./query-top-up.ts";

let site: TestBilling;
let payer: Payer;

beforeAll(async () => {
  site = await openTestBilling();
  payer = await site.newPayer();
});
afterAll(() => site.close());

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("no fault");
}

const attempt = (amountUsd: string, attemptId = newId<TopUpId>()) =>
  createTopUp(site.app.db, site.billing, { ...payer, attemptId, amountUsd });

async function countOrders(): Promise<number> {
  const [row] = await site.owner.sql<{ n: number }[]>`select count(*)::int as n from top_ups`;
  return row?.n ?? -1;
}

const misspelled = [
  "-5",
  "",
  "0.001",
  "NaN",
  "1e309",
  "10.005",
  "10^12",
  "1000000000000",
  "0x10",
  " 10 ",
  "10,50",
  "+10",
  "10.",
  ".5",
  "１０",
  "10\n",
  "Infinity",
];

test.each(misspelled)("the amount %j is refused by name and nothing is created", async (amount) => {
  const [orders, calls] = [await countOrders(), site.stripe.calls.length];
  const fault = await faultOf(attempt(amount));
  expect([fault.code, fault.details.param]).toEqual(["invalid_value", "amountUsd"]);
  expect([await countOrders(), site.stripe.calls.length]).toEqual([orders, calls]);
});

test.each([
  ["0", "decimal_below_min_value"],
  ["1", "decimal_below_min_value"],
  ["4.99", "decimal_below_min_value"],
  ["1000.01", "decimal_above_max_value"],
  ["99999", "decimal_above_max_value"],
  ["9999999999", "decimal_above_max_value"],
])("the amount %s is out of bounds and the refusal names them", async (amount, code) => {
  const fault = await faultOf(attempt(amount));
  expect(fault.code).toBe(code as never);
  expect(fault.details).toMatchObject({
    param: "amountUsd",
    metadata: { min_usd: "5", max_usd: "1000" },
  });
});

test.each(["5", "5.00", "1000", "1000.00"])(
  "the amount %s is a bound and accepted",
  async (amount) => {
    expect((await attempt(amount)).checkoutUrl).toContain("/pay/");
  },
);

test("an attempt too old for a half-hour checkout has ended, and Stripe is not called", async () => {
  const recover = site.stripe.breakDown(503);
  const attemptId = newId<TopUpId>();
  expect((await faultOf(attempt("10", attemptId))).code).toBe("overloaded");
  recover();
  await site.owner.sql`
    update top_ups set expires_at = now() + interval '29 minutes' where id = ${attemptId}`;
  const calls = site.stripe.calls.length;
  expect((await faultOf(attempt("10", attemptId))).code).toBe("conflict");
  expect(site.stripe.calls.length).toBe(calls);
});

test("Stripe is called with our amount, once, under the order's id", async () => {
  const attemptId = newId<TopUpId>();
  const { checkoutUrl } = await attempt("10.50", attemptId);
  const call = site.stripe.calls.findLast(({ path }) => path === "/checkout/sessions");
  const path = `${await queryAccountPath(site.app.db, payer.accountId)}/wallet/top-ups/${attemptId}`;
  expect(call?.idempotencyKey).toBe(attemptId);
  expect(call?.version).toBe("2026-10-28.endive");
  expect(call?.form).toMatchObject({
    mode: "payment",
    client_reference_id: attemptId,
    metadata: { top_up_id: attemptId, account_id: payer.accountId },
    line_items: { 0: { quantity: "1", price_data: { unit_amount: "1050", currency: "usd" } } },
    success_url: `https://turnpike.example${path}`,
    cancel_url: `https://turnpike.example${path}?canceled=1`,
  });
  expect(checkoutUrl).toStartWith(`${site.stripe.url}/pay/cs_test_`);
  expect(await queryTopUp(site.app.db, payer.accountId, attemptId)).toMatchObject({
    state: "pending",
    amountNanos: 10_500_000_000n,
    creditedNanos: 0n,
  });
});

test("no call sends Stripe anything about earlier calls", async () => {
  await attempt("10");
  await attempt("10");
  expect(site.stripe.calls.length).toBeGreaterThan(2);
  expect(site.stripe.calls.filter(({ telemetry }) => telemetry !== undefined)).toEqual([]);
});

test("an attempt repeated, even concurrently, is one order with one checkout", async () => {
  const attemptId = newId<TopUpId>();
  const [orders, sessions] = [await countOrders(), site.stripe.books.sessions.size];
  const started = await Promise.all([attempt("10", attemptId), attempt("10", attemptId)]);
  started.push(await attempt("10", attemptId));
  expect(new Set(started.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1);
  expect([await countOrders(), site.stripe.books.sessions.size]).toEqual([
    orders + 1,
    sessions + 1,
  ]);
  expect((await faultOf(attempt("11", attemptId))).code).toBe("conflict");
});

test("an account has one customer at Stripe, however often it pays", async () => {
  const other = await site.newPayer();
  const before = site.stripe.books.customers.size;
  await Promise.all([site.start(other, "10"), site.start(other, "10")]);
  await site.start(other, "10");
  expect(site.stripe.books.customers.size).toBe(before + 1);
});

test("another account's attempt and top-up are not found", async () => {
  const attemptId = newId<TopUpId>();
  await attempt("10", attemptId);
  const other = await site.newPayer();
  const { db } = site.app;
  const repeated = createTopUp(db, site.billing, { ...other, attemptId, amountUsd: "10" });
  expect((await faultOf(repeated)).code).toBe("not_found");
  expect((await faultOf(queryTopUp(db, other.accountId, attemptId))).code).toBe("not_found");
  const canceled = cancelTopUp(db, site.billing, other.accountId, attemptId);
  expect((await faultOf(canceled)).code).toBe("not_found");
  expect((await queryTopUp(db, payer.accountId, attemptId)).state).toBe("pending");
});

test("FS1: while Stripe is unreachable a top-up is refused, and the same attempt works later", async () => {
  const recover = site.stripe.breakDown(503);
  const attemptId = newId<TopUpId>();
  const fault = await faultOf(attempt("10", attemptId));
  expect(fault.code).toBe("overloaded");
  expect(fault.details.retryAfterMs).toBeGreaterThan(0);
  expect(fault.message).not.toContain("Stripe");
  expect(await queryTopUp(site.app.db, payer.accountId, attemptId)).toMatchObject({
    state: "pending",
    creditedNanos: 0n,
  });
  recover();
  expect((await attempt("10", attemptId)).checkoutUrl).toContain("/pay/");
});

test("the fourth top-up in ten minutes is throttled; a repeated attempt is not counted", async () => {
  const billing = site.openBilling({ throttles: accountLimits });
  const eager = await site.newPayer();
  const { db } = site.app;
  const begin = (attemptId: TopUpId) =>
    createTopUp(db, billing, { ...eager, attemptId, amountUsd: "10" });
  const first = newId<TopUpId>();
  for (const attemptId of [first, newId<TopUpId>(), newId<TopUpId>()]) await begin(attemptId);
  expect((await faultOf(begin(newId<TopUpId>()))).code).toBe("throttled");
  expect((await begin(first)).topUpId).toBe(first);
});

test("the twenty-first top-up of a day is throttled, and the next day there are more", async () => {
  const often = { max: 100, windowMs: 1 };
  const billing = site.openBilling({ throttles: { ...accountLimits, topUpPerPerson: often } });
  const eager = await site.newPayer();
  const { db, sql } = site.app;
  const begin = () =>
    createTopUp(db, billing, { ...eager, attemptId: newId<TopUpId>(), amountUsd: "10" });
  await begin();
  const bucket = `top-up-day:${eager.personId}`;
  await sql`update throttles set count = 19 where bucket = ${bucket}`;
  await begin();
  expect((await faultOf(begin())).code).toBe("throttled");
  await sql`update throttles set since = now() - interval '25 hours' where bucket = ${bucket}`;
  await begin();
});

test("without Stripe funds come from the sandbox if it is allowed, and cannot be added otherwise", async () => {
  const begin = (allowSandbox: boolean) => {
    const billing = site.openBilling({ stripe: undefined, allowSandbox });
    const attemptId = newId<TopUpId>();
    return createTopUp(site.app.db, billing, { ...payer, attemptId, amountUsd: "10" });
  };
  expect((await begin(true)).checkoutUrl).toStartWith("/dev/checkout/");
  expect((await faultOf(begin(false))).code).toBe("not_found");
});

test("a suspended account cannot add funds", async () => {
  const other = await site.newPayer();
  await site.owner.sql`update accounts set suspended_at = now() where id = ${other.accountId}`;
  const started = createTopUp(site.app.db, site.billing, {
    ...other,
    attemptId: newId<TopUpId>(),
    amountUsd: "10",
  });
  expect((await faultOf(started)).code).toBe("account_suspended");
});

test("a canceled top-up is closed at Stripe and its attempt has ended", async () => {
  const { topUpId, sessionId } = await site.start(payer, "10");
  await cancelTopUp(site.app.db, site.billing, payer.accountId, topUpId);
  expect(site.stripe.books.sessions.get(sessionId)?.status).toBe("expired");
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect((await queryTopUp(site.app.db, payer.accountId, topUpId)).state).toBe("canceled");
  expect((await faultOf(attempt("10", topUpId))).code).toBe("conflict");
});

test("a payer who pays and then returns by the cancel link is credited", async () => {
  const rich = await site.newPayer();
  const { topUpId, sessionId } = await site.start(rich, "10");
  site.stripe.pay(sessionId);
  await cancelTopUp(site.app.db, site.billing, rich.accountId, topUpId);
  expect((await queryTopUp(site.app.db, rich.accountId, topUpId)).state).toBe("canceled");
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect((await queryTopUp(site.app.db, rich.accountId, topUpId)).state).toBe("paid");
  expect(await site.balance(rich)).toBe(10_000_000_000n);
  expect(await site.check()).toEqual([]);
});

test("an account that is being closed at the same moment gets no order", async () => {
  const closing = await site.newPayer();
  const attemptId = newId<TopUpId>();
  let placing: Promise<Fault> | undefined;
  await site.owner.db.transaction(async (tx) => {
    await tx.execute(sql`update accounts set closed_at = now() where id = ${closing.accountId}`);
    placing = faultOf(
      createTopUp(site.app.db, site.billing, { ...closing, attemptId, amountUsd: "10" }),
    );
    let waiting: readonly unknown[] = [];
    while (waiting.length === 0) {
      waiting = await site.owner.sql`
        select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
    }
  });
  expect((await placing)?.code).toBe("not_found");
  const orders = await site.owner.sql`select 1 from top_ups where id = ${attemptId}`;
  expect(orders).toHaveLength(0);
});

test("money that arrives after the payer was deleted is booked, and mailed to nobody", async () => {
  const gone = await site.newPayer();
  const { sessionId } = await site.start(gone, "10");
  site.stripe.pay(sessionId);
  const email = `deleted-${gone.personId}@deleted.invalid`;
  await site.owner.sql`
    update persons set email = ${email}, deleted_at = now() where id = ${gone.personId}`;
  await site.owner.sql`update accounts set closed_at = now() where id = ${gone.accountId}`;
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(gone)).toBe(10_000_000_000n);
  const mails = await site.owner.sql`select 1 from outbox where recipient = ${email}`;
  expect(mails).toHaveLength(0);
  expect(await site.check()).toEqual([]);
});
