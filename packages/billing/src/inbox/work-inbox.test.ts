// The inbox: every stored event is processed eventually; a bad event is given up; an event that never
// arrived is found.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { discardItem, queryQueue, retryItem } from "@turnpike/queue";
import { openTestBilling, type TestBilling } from "../open-test-billing.fixture.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { queryTopUp } from "../top-up/query-top-up.ts";
import { stripeQueue } from "./inbox-queue.ts";
import { workInbox } from "./work-inbox.ts";

const dollars = 1_000_000_000n;
let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
});
afterAll(() => site.close());

const makeDue = () => site.owner.sql`update stripe_inbox set next_attempt_at = now()`;

async function rowOf(eventId: string) {
  const [row] = await site.owner.sql<
    { attempts: number; done: boolean; dead: boolean; wait: number; payload: unknown }[]
  >`select attempts, done_at is not null as done, dead_at is not null as dead, payload,
           extract(epoch from next_attempt_at - now())::float8 as wait
      from stripe_inbox where event_id = ${eventId}`;
  if (row === undefined) throw new Error(`${eventId} is not in the inbox`);
  return row;
}

test("only the part of an event that names the payment is kept", async () => {
  const { sessionId } = await site.start(await site.newPayer(), "10");
  site.stripe.pay(sessionId);
  const [charged, , completed] = site.stripe.events.slice(-3);
  if (charged === undefined || completed === undefined) throw new Error("no events");
  await site.receive(charged);
  await site.receive(completed);
  expect(await rowOf(charged.id)).toMatchObject({ done: true, payload: {} });
  expect(await rowOf(completed.id)).toMatchObject({ done: false, payload: { sessionId } });
  expect(await workInbox(site.app.db, site.billing)).toEqual({ done: 1, failed: 0 });
  expect(await rowOf(completed.id)).toMatchObject({ done: true, attempts: 1 });
});

test("a run ends although more is due, and the next one continues", async () => {
  const payer = await site.newPayer();
  for (let count = 0; count < 9; count += 1) {
    const { sessionId } = await site.start(payer, "10");
    site.stripe.pay(sessionId);
    const completed = site.stripe.events.at(-1);
    if (completed === undefined) throw new Error("no event");
    await site.receive(completed);
  }
  const first = await workInbox(site.app.db, site.billing, 2);
  // Up to four are under way at once.
  expect(first.done).toBeGreaterThanOrEqual(2);
  expect(first.done).toBeLessThanOrEqual(5);
  const rest = await workInbox(site.app.db, site.billing);
  expect(first.done + rest.done).toBe(9);
  expect(await site.balance(payer)).toBe(90n * dollars);
});

test("FS4: a bad event is tried eight times with growing pauses, then given up; others are not delayed", async () => {
  const payer = await site.newPayer();
  const broken = await site.start(payer, "10");
  const healthy = await site.start(payer, "20");
  site.stripe.pay(broken.sessionId);
  const bad = site.stripe.events.at(-1);
  if (bad === undefined) throw new Error("no event");
  await site.receive(bad);
  const recover = site.stripe.breakDown(500, new RegExp(broken.sessionId));
  const waits: number[] = [];
  for (let tries = 1; tries <= 8; tries += 1) {
    expect(await workInbox(site.app.db, site.billing)).toEqual({ done: 0, failed: 1 });
    const row = await rowOf(bad.id);
    expect([row.attempts, row.dead]).toEqual([tries, tries === 8]);
    waits.push(row.wait);
    await makeDue();
  }
  for (const [at, pause] of [1, 5, 30, 120, 600, 1_800, 3_600].entries()) {
    expect(waits[at]).toBeGreaterThan(pause - 1);
    expect(waits[at]).toBeLessThanOrEqual(pause * 1.1);
  }
  expect(await workInbox(site.app.db, site.billing)).toEqual({ done: 0, failed: 0 });
  site.stripe.pay(healthy.sessionId);
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(20n * dollars);
  recover();
  await reconcile(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(30n * dollars);
});

test("a refund whose event was given up reaches the wallet with the next reconciliation", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "30");
  const payment = site.stripe.pay(sessionId);
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(30n * dollars);
  site.stripe.refund(payment, 1_000);
  await site.receiveAll();
  await site.owner.sql`
    update stripe_inbox set attempts = 8, dead_at = now(), last_error = 'away'
     where done_at is null`;
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(30n * dollars);
  const recover = site.stripe.breakDown(500, new RegExp(sessionId));
  await reconcile(site.app.db, site.billing);
  recover();
  expect(await site.balance(payer)).toBe(30n * dollars);
  await reconcile(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("FS2: what happened while no server ran for days is found when one starts again", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "30");
  const payment = site.stripe.pay(sessionId);
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  await site.owner.sql`update stripe_inbox set created = now() - interval '12 days'`;
  site.stripe.refund(payment, 1_000);
  const daySeconds = 86_400;
  const refunded = site.stripe.events.at(-1);
  if (refunded === undefined) throw new Error("no event");
  for (const event of site.stripe.events) event.created -= 11 * daySeconds;
  expect((await reconcile(site.app.db, site.billing)).missedEvents).toBeGreaterThanOrEqual(1);
  expect(await rowOf(refunded.id)).toMatchObject({ done: true });
  expect(await site.balance(payer)).toBe(20n * dollars);
});

test("an event claimed by a worker that died is processed by the next one", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "10");
  site.stripe.pay(sessionId);
  await site.receiveAll();
  await site.owner.sql`
    update stripe_inbox set attempts = 1, next_attempt_at = now() - interval '1 second'
     where done_at is null`;
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(10n * dollars);
});

test("an event of other software on the same Stripe account is ignored", async () => {
  const payer = await site.newPayer();
  const { sessionId, topUpId } = await site.start(payer, "10");
  site.stripe.mutate(sessionId, { client_reference_id: "order-17", metadata: {} });
  await site.owner.sql`update top_ups set checkout_session_id = null where id = ${topUpId}`;
  site.stripe.pay(sessionId);
  const event = site.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  await site.receive(event);
  await workInbox(site.app.db, site.billing);
  expect(await rowOf(event.id)).toMatchObject({ done: true, attempts: 1 });
  expect(await site.balance(payer)).toBe(0n);
});

test("what no webhook reported is found by asking Stripe: payments, refunds, expiries, forgotten orders", async () => {
  const payer = await site.newPayer();
  const paid = await site.start(payer, "10");
  const refunded = await site.start(payer, "30");
  const expired = await site.start(payer, "40");
  const forgotten = await site.start(payer, "50");
  site.stripe.pay(paid.sessionId);
  site.stripe.refund(site.stripe.pay(refunded.sessionId), 1_000);
  site.stripe.expire(expired.sessionId);
  await site.owner.sql`
    update top_ups set checkout_session_id = null, checkout_url = null, state = 'created',
           expires_at = now() - interval '1 second'
     where id = ${forgotten.topUpId}`;
  const found = await reconcile(site.app.db, site.billing);
  expect(found).toMatchObject({ failed: 0 });
  expect(found.missedEvents).toBeGreaterThanOrEqual(4);
  expect(await site.balance(payer)).toBe(30n * dollars);
  const states = [expired, forgotten].map(async ({ topUpId }) => {
    return (await queryTopUp(site.app.db, payer.accountId, topUpId)).state;
  });
  expect(await Promise.all(states)).toEqual(["expired", "expired"]);
  expect((await reconcile(site.app.db, site.billing)).missedEvents).toBe(0);
  // If somebody has paid for an order we had lost, that is found as well.
  site.stripe.pay(forgotten.sessionId);
  await reconcile(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(80n * dollars);
});

test("an operator has a given-up event tried again, as often as a new one, or discards it", async () => {
  const { db } = site.app;
  await site.owner.sql`delete from stripe_inbox`;
  const payer = await site.newPayer();
  const wanted = await site.start(payer, "10");
  site.stripe.pay(wanted.sessionId);
  const event = site.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  await site.receive(event);
  await site.owner.sql`update stripe_inbox set dead_at = now(), attempts = 8, last_error = 'down'`;
  expect(await queryQueue(db, stripeQueue)).toMatchObject({
    waiting: 0,
    givenUp: 1,
    rows: [{ eventId: event.id, attempts: 8, nextAttemptAt: null, error: "down" }],
  });
  expect(await retryItem(db, stripeQueue, [event.id])).toMatchObject({ type: event.type });
  expect(await rowOf(event.id)).toMatchObject({ attempts: 0, dead: false });
  expect(await queryQueue(db, stripeQueue)).toMatchObject({ waiting: 1, givenUp: 0, rows: [] });
  expect(await workInbox(db, site.billing)).toEqual({ done: 1, failed: 0 });
  const late = discardItem(db, stripeQueue, [event.id]);
  const refused = await late.catch((thrown: unknown) => thrown);
  expect(refused).toMatchObject({ code: "not_found" });

  await site.owner.sql`update stripe_inbox set done_at = null, dead_at = now()`;
  await discardItem(db, stripeQueue, [event.id]);
  expect(await workInbox(db, site.billing)).toEqual({ done: 0, failed: 0 });
  expect(await queryQueue(db, stripeQueue)).toMatchObject({ waiting: 0, givenUp: 0, rows: [] });
});
