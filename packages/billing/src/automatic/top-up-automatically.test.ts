// Automatic top-ups against the scripted Stripe: off until turned on, charged and credited once whatever dies or is
// repeated in between, and stopped by a refusal, the ceiling, an expired card or a suspension.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { TopUpId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { cancelTopUp } from "../top-up/cancel-top-up.ts";
import { queryAutoTopUp, removeSavedCard, setAutoTopUp } from "./auto-top-up.ts";
import * as fixture from "./charged-payer.fixture.ts";
import { type Changes, dollars, usual } from "./charged-payer.fixture.ts";
import { topUpAutomatically } from "./top-up-automatically.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
beforeEach(() => site.stripe.answerCharges("succeeded"));
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  // What one test leaves undecided or low is nothing that the next one tops up.
  await site.owner.sql`update auto_top_ups set enabled = false`;
});
afterAll(() => site.close());

const run = () => topUpAutomatically(site.app.db, site.billing);
const settings = (payer: Payer) => queryAutoTopUp(site.app.db, payer.accountId);

const newSaver = () => fixture.newSaver(site);
const newUser = (changes: Changes = {}) => fixture.newUser(site, changes);
const receiveEvents = () => fixture.receiveEvents(site);
const charges = (payer: Payer) => fixture.charges(site, payer);
const mailsTo = (payer: Payer, kind: string) => fixture.mailsTo(site, payer, kind);

function intentsOf(payer: Payer): number {
  const intents = [...site.stripe.books.intents.values()];
  return intents.filter(
    ({ metadata }) => metadata.account_id === payer.accountId && "automatic_top_up" in metadata,
  ).length;
}

test("nothing is charged automatically unless it is turned on, with a card that was saved", async () => {
  const saver = await newSaver();
  expect(await settings(saver)).toMatchObject({ enabled: false, card: { last4: "4242" } });
  await run();
  expect(await charges(saver)).toEqual([]);
  const payer = await site.newPayer();
  const enabling = setAutoTopUp(site.app.db, site.billing, payer.accountId, usual);
  expect(enabling).rejects.toThrow("Save a card first");
  await run();
  expect(await charges(payer)).toEqual([]);
});

test("a card is saved only by a payer who agreed", async () => {
  const payer = await site.newPayer();
  const { sessionId } = await site.start(payer, "10");
  site.stripe.pay(sessionId);
  await receiveEvents();
  expect(await settings(payer)).toMatchObject({ card: null });
});

test("a balance below the threshold is topped up once, with one receipt, however often it is reported", async () => {
  const payer = await newUser();
  await run();
  await run();
  await receiveEvents();
  await receiveEvents();
  expect(await charges(payer)).toEqual(["paid"]);
  expect(await site.balance(payer)).toBe(30n * dollars);
  expect(intentsOf(payer)).toBe(1);
  expect(await mailsTo(payer, "receipt")).toMatchObject([
    { amountUsd: "10" },
    { amountUsd: "20", balanceUsd: "30" },
  ]);
  expect((await reconcile(site.app.db, site.billing)).unpaidCredits).toEqual([]);
});

test("a balance at the threshold is not below it", async () => {
  const payer = await newUser({ thresholdNanos: toNanos(10n * dollars) });
  await run();
  expect(await charges(payer)).toEqual([]);
});

test("two instances at once charge the card once", async () => {
  const payer = await newUser();
  await Promise.all([run(), run(), run(), run()]);
  expect(await charges(payer)).toEqual(["paid"]);
  expect(intentsOf(payer)).toBe(1);
  expect(await site.balance(payer)).toBe(30n * dollars);
});

test("an event that arrives before the answer of the API credits the payment once", async () => {
  const payer = await newUser();
  const held = site.stripe.hold(/^\/payment_intents$/);
  const running = run();
  await held.called;
  await receiveEvents();
  expect(await charges(payer)).toEqual(["paid"]);
  held.release();
  await running;
  expect(await site.balance(payer)).toBe(30n * dollars);
  expect(await charges(payer)).toEqual(["paid"]);
});

test("a process that dies before Stripe is reached charges once when it runs again", async () => {
  const payer = await newUser();
  const repair = site.stripe.breakDown(500, /^\/payment_intents/);
  await run();
  expect(await charges(payer)).toEqual(["created"]);
  expect(intentsOf(payer)).toBe(0);
  repair();
  await run();
  expect(await charges(payer)).toEqual(["paid"]);
  expect(intentsOf(payer)).toBe(1);
});

test("a process that dies after Stripe charged credits that payment, and makes no other", async () => {
  const payer = await newUser();
  const repair = site.stripe.breakDown(500, /^\/payment_intents\/pi_/);
  await run();
  expect(intentsOf(payer)).toBe(1);
  expect(await charges(payer)).toEqual(["created"]);
  repair();
  await run();
  expect(await charges(payer)).toEqual(["paid"]);
  expect(intentsOf(payer)).toBe(1);
  expect(await site.balance(payer)).toBe(30n * dollars);
});

test("a charge whose answer was lost is found by reconciling, even if it was turned off since", async () => {
  const payer = await newUser();
  const repair = site.stripe.breakDown(500, /^\/payment_intents\/pi_/);
  await run();
  repair();
  await setAutoTopUp(site.app.db, site.billing, payer.accountId, { ...usual, enabled: false });
  await reconcile(site.app.db, site.billing);
  expect(await charges(payer)).toEqual(["paid"]);
  expect(await site.balance(payer)).toBe(30n * dollars);
});

test("an order that never reached Stripe is not charged after it was turned off", async () => {
  const payer = await newUser();
  const repair = site.stripe.breakDown(500, /^\/payment_intents/);
  await run();
  repair();
  await removeSavedCard(site.app.db, site.billing, payer.accountId);
  await run();
  expect(await charges(payer)).toEqual(["expired"]);
  expect(intentsOf(payer)).toBe(0);
  expect(await settings(payer)).toMatchObject({ enabled: false, card: null });
});

test("a person cannot cancel a charge that is under way", async () => {
  const payer = await newUser();
  const repair = site.stripe.breakDown(500, /^\/payment_intents/);
  await run();
  repair();
  const [order] = await site.owner.sql<{ id: TopUpId }[]>`
    select id from top_ups where account_id = ${payer.accountId} and state = 'created'`;
  if (order === undefined) throw new Error("there is no charge");
  await cancelTopUp(site.app.db, site.billing, payer.accountId, order.id);
  expect(await charges(payer)).toEqual(["created"]);
  await run();
  expect(await charges(payer)).toEqual(["paid"]);
});

test.each([
  ["card_declined", "declined"],
  ["authentication_required", "needs_authentication"],
  ["expired_card", "expired_card"],
] as const)("after %s nothing is charged until a person acts", async (outcome, state) => {
  const payer = await newUser();
  site.stripe.answerCharges(outcome);
  await run();
  await receiveEvents();
  await run();
  expect(await charges(payer)).toEqual(["failed"]);
  expect(await settings(payer)).toMatchObject({ enabled: true, state, failures: 1 });
  expect((await settings(payer)).lastFailure).not.toBeNull();
  expect(await site.balance(payer)).toBe(10n * dollars);
  expect(await mailsTo(payer, `auto_top_up_${state}`)).toMatchObject([{ amountUsd: "20" }]);
  site.stripe.answerCharges("succeeded");
  await setAutoTopUp(site.app.db, site.billing, payer.accountId, usual);
  await run();
  expect(await charges(payer)).toEqual(["failed", "paid"]);
  expect(await settings(payer)).toMatchObject({ state: "ok", lastFailure: null });
});

test("a card whose month is over is tried at Stripe, where it may have been renewed", async () => {
  const payer = await newUser();
  await site.owner.sql`update auto_top_ups set card_exp_year = 2020
     where account_id = ${payer.accountId}`;
  await run();
  expect(await charges(payer)).toEqual(["paid"]);
  expect(await settings(payer)).toMatchObject({ state: "ok", card: { expYear: 2099 } });
});

test("a month's charges stay within the ceiling, which is told once; a new month begins again", async () => {
  const payer = await newUser();
  for (let charge = 0; charge < 2; charge += 1) {
    await run();
    await site.spend(payer, 20n * dollars);
  }
  await run();
  await run();
  expect(await charges(payer)).toEqual(["paid", "paid"]);
  expect(await mailsTo(payer, "auto_top_up_ceiling")).toMatchObject([{ amountUsd: "50" }]);
  await site.owner.sql`update top_ups set created_at = created_at - interval '32 days'
     where account_id = ${payer.accountId}`;
  await run();
  expect(await charges(payer)).toEqual(["paid", "paid", "paid"]);
});
