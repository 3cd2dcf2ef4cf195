// What only Stripe can say about a credit: whether somebody paid. Orders that the server's role invented are right in
// the books and named here; orders that were paid are not, however old their session is.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { findUnpaidCredits } from "./find-unpaid-credits.ts";
import { reconcile } from "./reconcile.ts";

const dollars = 1_000_000_000n;
const dayMs = 86_400_000;
let site: TestBilling;
let payer: Payer;
const earlier = new Set<TopUpId>();

beforeAll(async () => {
  site = await openTestBilling();
});
beforeEach(async () => {
  payer = await site.newPayer();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  for (const id of await found()) earlier.add(id);
});
afterAll(() => site.close());

/** Paid at Stripe and credited; `changes` are then made to the session at Stripe. */
async function pay(changes: Parameters<TestBilling["stripe"]["mutate"]>[1] = {}) {
  const started = await site.start(payer, "20");
  const intent = site.stripe.pay(started.sessionId);
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
  expect(await site.balance(payer)).toBe(20n * dollars);
  site.stripe.mutate(started.sessionId, changes);
  return { ...started, intent };
}

/** As the role of the server could: an order that names a session and a payment, and its credit. */
async function forge(sessionId: string, intent: string, livemode = false): Promise<TopUpId> {
  const id = newId<TopUpId>();
  await site.app.sql.begin(async (sql) => {
    await sql`
      insert into top_ups (id, account_id, amount_nanos, processor, livemode, checkout_session_id, created_at)
      values (${id}, ${payer.accountId}, ${(500n * dollars).toString()}, 'stripe', ${livemode},
              ${sessionId}, '2020-01-01')`;
    await sql`
      select * from post_movement(${newId()}, 'top_up', ${`stripe:${intent}`}, '', 'stripe',
        ${payer.accountId}, ${(500n * dollars).toString()}, 'stripe_clearing')`;
    await sql`
      update top_ups set state = 'paid', credited_nanos = amount_nanos, payment_intent_id = ${intent},
                         paid_at = '2020-01-01' where id = ${id}`;
  });
  return id;
}

/** What other tests left is not repeated. */
const withoutEarlier = (ids: readonly TopUpId[]) => ids.filter((id) => !earlier.has(id)).toSorted();
const found = async () =>
  withoutEarlier((await reconcile(site.app.db, site.billing)).unpaidCredits);
const foundSince = async (since: Date) =>
  withoutEarlier(await findUnpaidCredits(site.app.db, site.billing, since));

test("an invented payment is named, whatever the order says about its time and mode", async () => {
  const forged = [await forge("cs_none", "pi_none"), await forge("cs_live", "pi_live", true)];
  expect(await found()).toEqual(forged.toSorted());
  expect(await foundSince(new Date(Date.now() - dayMs))).toEqual(forged.toSorted());
  expect(await foundSince(new Date(Date.now() + dayMs))).toEqual([]);
});

test("an order that names a session of another order, or another amount, is named", async () => {
  const other = await site.start(await site.newPayer(), "5");
  await site.owner.sql`update top_ups set checkout_session_id = null where id = ${other.topUpId}`;
  const intent = site.stripe.pay(other.sessionId);
  const forged = await forge(other.sessionId, intent);
  expect(await found()).toEqual([forged]);
  site.stripe.mutate(other.sessionId, {
    client_reference_id: forged,
    metadata: { top_up_id: forged, account_id: payer.accountId },
  });
  expect(await found()).toEqual([forged]);
  site.stripe.mutate(other.sessionId, { amount_total: 50_000 });
  expect(await found()).toEqual([]);
});

test("an order whose session is open, unpaid or paid by another payment is named", async () => {
  for (const changes of [
    { payment_status: "unpaid" },
    { payment_intent: "pi_other" },
    { currency: "eur" },
  ] as const) {
    const { topUpId } = await pay(changes);
    expect(await found()).toEqual([topUpId]);
    earlier.add(topUpId);
    payer = await site.newPayer();
  }
});

test("a paid order is not named: refunded, or with a session that is older than what is listed", async () => {
  const { intent } = await pay();
  site.stripe.refund(intent, 500);
  expect(await found()).toEqual([]);
  payer = await site.newPayer();
  const { sessionId } = await pay({ created: Math.floor((Date.now() - 30 * dayMs) / 1_000) });
  const before = site.stripe.calls.length;
  expect(await found()).toEqual([]);
  const asked = site.stripe.calls.slice(before).map(({ path }) => path);
  expect(asked).toContain(`/checkout/sessions/${sessionId}`);
});

test("while Stripe does not answer, nothing is said about credits", async () => {
  const { sessionId } = await pay({ created: 0 });
  const repair = site.stripe.breakDown(500, new RegExp(sessionId));
  const since = new Date(Date.now() - dayMs);
  expect(await foundSince(since).catch((error: Error) => error.message)).toContain("out of order");
  repair();
  expect(await foundSince(since)).toEqual([]);
});
