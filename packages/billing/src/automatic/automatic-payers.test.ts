// Who would pay for an automatic top-up: nothing is charged for an account, or to a card, of someone who has left, is to be
// deleted or must not spend, until that is over and a person has resumed it.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { forgetCard } from "@turnpike/db";
import { toNanos } from "@turnpike/terms";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { queryAutoTopUp, setAutoTopUp } from "./auto-top-up.ts";
import {
  type Changes,
  charges,
  dollars,
  expectPaused,
  newUser,
  paymentOf,
  receiveEvents,
  saveCard,
  usual,
} from "./charged-payer.fixture.ts";
import { topUpAutomatically } from "./top-up-automatically.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  await site.owner.sql`update auto_top_ups set enabled = false`;
});
afterAll(() => site.close());

const run = () => topUpAutomatically(site.app.db, site.billing);
const settings = (payer: Payer) => queryAutoTopUp(site.app.db, payer.accountId);
const set = (payer: Payer, changes: Changes = {}) =>
  setAutoTopUp(site.app.db, site.billing, payer.accountId, { ...usual, ...changes });

test.each([
  ["suspended_at", "suspended"],
  ["frozen_at", "frozen"],
])("an account with %s is paused, and resumes only when that is over", async (column, state) => {
  const payer = await newUser(site);
  await site.owner.sql`update accounts set ${site.owner.sql(column)} = now()
   where id = ${payer.accountId}`;
  await expectPaused(site, payer, state);
  expect(set(payer)).rejects.toThrow("This account");
  await site.owner.sql`update accounts set ${site.owner.sql(column)} = null
   where id = ${payer.accountId}`;
  await run();
  expect(await charges(site, payer)).toEqual([]);
  await set(payer);
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
});

test("a closed account is not charged", async () => {
  const payer = await newUser(site);
  await site.owner.sql`update accounts set closed_at = now() where id = ${payer.accountId}`;
  await run();
  expect(await charges(site, payer)).toEqual([]);
  await site.owner.sql`update accounts set closed_at = null where id = ${payer.accountId}`;
});

/** An account that is topped up by the card of a member who is not its owner. */
async function newGuest(): Promise<{ readonly owner: Payer; readonly guest: Payer }> {
  const owner = await site.newPayer();
  const guest = await site.newPayer();
  await site.owner.sql`insert into memberships (account_id, person_id, role)
    values (${owner.accountId}, ${guest.personId}, 'admin')`;
  await saveCard(site, { ...owner, personId: guest.personId }, "10");
  await set(owner);
  return { owner, guest };
}

test("the card of someone who is no longer a member is not charged; a member saves another", async () => {
  const { owner, guest } = await newGuest();
  await site.owner.sql`delete from memberships
    where account_id = ${owner.accountId} and person_id = ${guest.personId}`;
  await expectPaused(site, owner, "card_owner_left");
  expect(set(owner)).rejects.toThrow("Save another one first");
  await saveCard(site, owner, "10");
  await set(owner, { thresholdNanos: toNanos(20n * dollars) });
  expect(await settings(owner)).toMatchObject({ state: "ok" });
});

test("the card of a member who asked for their deletion is not charged", async () => {
  const { owner, guest } = await newGuest();
  await site.owner.sql`update accounts set kind = 'organization' where id = ${owner.accountId}`;
  await site.owner.sql`update persons set deletion_due_at = now() + interval '7 days'
    where id = ${guest.personId}`;
  await expectPaused(site, owner, "card_owner_left");
});

test("a request for deletion has the card forgotten also where something was paused before", async () => {
  const payer = await newUser(site);
  site.stripe.refund((await paymentOf(site, payer)).intent, 100);
  await receiveEvents(site);
  expect(await settings(payer)).toMatchObject({ state: "refunded" });
  await site.owner.sql`update persons set deletion_due_at = now() + interval '7 days'
    where id = ${payer.personId}`;
  await run();
  expect(await settings(payer)).toMatchObject({ enabled: false, card: null });
});

test("a request for deletion turns it off, and Stripe forgets the card", async () => {
  const payer = await newUser(site);
  await site.owner.sql`update persons set deletion_due_at = now() + interval '7 days'
    where id = ${payer.personId}`;
  await expectPaused(site, payer, "deletion");
  expect(await settings(payer)).toMatchObject({ enabled: false, card: null });
  const saved = [...site.stripe.books.paymentMethods.values()].at(-1);
  expect(saved?.customer).toBeNull();
  expect(set(payer)).rejects.toThrow("You asked for the deletion");
  await saveCard(site, payer, "5");
  await run();
  expect(await settings(payer)).toMatchObject({ enabled: false, card: null });
  expect([...site.stripe.books.paymentMethods.values()].at(-1)?.customer).toBeNull();
});

test("the card of an account that was closed is forgotten at Stripe, and nothing of it is kept", async () => {
  const payer = await newUser(site);
  await site.app.db.transaction((tx) => forgetCard(tx, payer.accountId));
  await site.owner.sql`update accounts set closed_at = now() where id = ${payer.accountId}`;
  const repair = site.stripe.breakDown(500, /^\/payment_methods/);
  await run();
  repair();
  const rows = () =>
    site.owner.sql`select 1 from auto_top_ups where account_id = ${payer.accountId}`;
  expect(await rows()).toHaveLength(1);
  await run();
  expect(await rows()).toHaveLength(0);
  expect([...site.stripe.books.paymentMethods.values()].at(-1)?.customer).toBeNull();
  await site.owner.sql`update accounts set closed_at = null where id = ${payer.accountId}`;
});
