// The customer of an account at Stripe: one that Stripe no longer knows is replaced once, and its email follows the
// account's.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { newUser, receiveEvents } from "../automatic/charged-payer.fixture.ts";
import { topUpAutomatically } from "../automatic/top-up-automatically.ts";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { createTopUp } from "../top-up/create-top-up.ts";
import { followEmailOf } from "./ensure-customer.ts";

let site: TestBilling;
beforeAll(async () => {
  site = await openTestBilling();
});
afterAll(async () => {
  expect(await site.check()).toEqual([]);
  await site.close();
});

async function customerOf({ accountId }: Payer): Promise<string> {
  const [row] = await site.owner.sql<{ id: string | null }[]>`
    select stripe_customer_id as id from accounts where id = ${accountId}`;
  return row?.id ?? "none";
}

const begin = (payer: Payer, attemptId = newId<TopUpId>()) =>
  createTopUp(site.app.db, site.billing, { attemptId, ...payer, amountUsd: "10" });

test("a customer that Stripe no longer knows is replaced, once", async () => {
  const payer = await site.newPayer();
  await begin(payer);
  const former = await customerOf(payer);
  site.stripe.books.customers.delete(former);
  await Promise.all([begin(payer), begin(payer), begin(payer)]);
  const present = await customerOf(payer);
  expect(present).not.toBe(former);
  await begin(payer);
  expect(await customerOf(payer)).toBe(present);
  const made = [...site.stripe.books.customers.values()].filter(
    ({ metadata }) => metadata.account_id === payer.accountId,
  );
  expect(made.map(({ id, email }) => [id, email])).toEqual([[present, payer.email]]);
  const { sessionId } = await site.start(payer, "10");
  site.stripe.pay(sessionId);
  await receiveEvents(site);
  expect(await site.balance(payer)).toBe(10_000_000_000n);
});

test("one that is deleted at the moment at which it pays is replaced, too", async () => {
  const payer = await site.newPayer();
  await begin(payer);
  const former = await customerOf(payer);
  const held = site.stripe.hold(/^\/customers\//);
  const begun = begin(payer);
  await held.called;
  site.stripe.books.customers.delete(former);
  held.release();
  expect((await begun).checkoutUrl).toContain("http");
  expect(await customerOf(payer)).not.toBe(former);
});

test("a customer whose email cannot be changed still pays", async () => {
  const payer = await site.newPayer();
  await begin(payer);
  const repair = site.stripe.breakDown(400, /^\/customers\//);
  expect((await begin(payer)).checkoutUrl).toContain("http");
  repair();
});

test("the customer's email follows that of the account: when it changes, and when somebody pays", async () => {
  const payer = await site.newPayer();
  await begin(payer);
  const email = async () => site.stripe.books.customers.get(await customerOf(payer))?.email;
  expect(await email()).toBe(payer.email);
  const moved = `moved-${payer.email}`;
  const move = (to: string) =>
    site.owner.sql`update persons set email = ${to} where id = ${payer.personId}`;
  await move(moved);
  await followEmailOf(site.app.db, site.billing, moved);
  expect(await email()).toBe(moved);
  await move(payer.email);
  await begin(payer);
  expect(await email()).toBe(payer.email);
});

test("the customer's email follows that of the account before a saved card is charged", async () => {
  const payer = await newUser(site);
  const moved = `automatic-${payer.email}`;
  await site.owner.sql`update persons set email = ${moved} where id = ${payer.personId}`;
  await topUpAutomatically(site.app.db, site.billing);
  const id = await customerOf(payer);
  expect(site.stripe.books.customers.get(id)?.email).toBe(moved);
  await site.owner
    .sql`update auto_top_ups set enabled = false where account_id = ${payer.accountId}`;
});

test("an automatic top-up whose customer is gone ends, and is not tried again and again", async () => {
  const payer = await newUser(site);
  const repair = site.stripe.breakDown(500, /^\/payment_intents/);
  await topUpAutomatically(site.app.db, site.billing);
  repair();
  await site.owner
    .sql`update auto_top_ups set enabled = false where account_id = ${payer.accountId}`;
  site.stripe.books.customers.delete(await customerOf(payer));
  await topUpAutomatically(site.app.db, site.billing);
  const [order] = await site.owner.sql`
    select state from top_ups where account_id = ${payer.accountId} and payment_method_id is not null`;
  expect(order?.state).toBe("expired");
});
