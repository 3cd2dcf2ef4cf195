// Automatic top-ups follow spending: whatever else lowers a balance, or takes away who would pay, charges nothing, says
// why, and waits for a person.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TopUpId, toNanos } from "@turnpike/base";
import { forgetCard } from "@turnpike/db";
import { postMovement } from "@turnpike/ledger";
import { readAutoTopUp, setAutoTopUp } from "./auto-top-up.ts";
import {
  type Changes,
  charges,
  dollars,
  mailsTo,
  newUser,
  receiveEvents,
  saveCard,
  usual,
} from "./charged-payer.fixture.ts";
import { openTestBilling, type Payer, type TestBilling } from "./open-test-billing.fixture.ts";
import { refundTopUp } from "./refund-top-up.ts";
import { topUpAutomatically } from "./top-up-automatically.ts";

let site: TestBilling;

beforeAll(async () => {
  site = await openTestBilling();
});
beforeEach(() => site.stripe.answerCharges("succeeded"));
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  await site.owner.sql`update auto_top_ups set enabled = false`;
});
afterAll(() => site.close());

const run = () => topUpAutomatically(site.app.db, site.billing);
const settings = (payer: Payer) => readAutoTopUp(site.app.db, payer.accountId);
const set = (payer: Payer, changes: Changes = {}) =>
  setAutoTopUp(site.app.db, site.billing, payer.accountId, { ...usual, ...changes });

const low = { thresholdNanos: toNanos(5n * dollars) };

/** Someone with $10, charged below $5. */
const newAbove = () => newUser(site, low);

async function adjust({ accountId }: Payer, nanos: bigint): Promise<void> {
  await postMovement(site.owner.db, {
    accountId,
    amountNanos: toNanos(nanos),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: crypto.randomUUID(),
    reason: "test",
    actor: "test",
  });
}

const limit = ({ accountId }: Payer, nanos: bigint) =>
  site.owner.sql`select set_credit_limit(${accountId}, ${`${nanos}`}, null)`;

async function paymentOf({ accountId }: Payer) {
  const [row] = await site.owner.sql<{ id: TopUpId; intent: string }[]>`
    select id, payment_intent_id as intent from top_ups
     where account_id = ${accountId} and credited_nanos > 0 order by created_at desc limit 1`;
  if (row === undefined) throw new Error("nothing was paid");
  return row;
}

async function expectPaused(payer: Payer, state: string): Promise<void> {
  await run();
  await run();
  expect(await settings(payer)).toMatchObject({ state });
  expect(await charges(site, payer)).toEqual([]);
  expect(await mailsTo(site, payer, "auto_top_up_paused")).toMatchObject([{ reason: state }]);
}

describe("what is no spending", () => {
  test("a refund at the desk pauses, and resuming charges once", async () => {
    const payer = await newAbove();
    const { id: topUpId } = await paymentOf(payer);
    const by = { kind: "operator", name: "grace" } as const;
    await refundTopUp(site.app.db, site.billing, { topUpId, idempotencyKey: "all", by });
    await expectPaused(payer, "refunded");
    await set(payer, low);
    await run();
    await run();
    expect(await charges(site, payer)).toEqual(["paid"]);
    expect(await settings(payer)).toMatchObject({ state: "ok" });
  });

  test("a refund at Stripe pauses, also one that leaves the balance above the threshold", async () => {
    const [payer, other] = [await newAbove(), await newAbove()];
    site.stripe.refund((await paymentOf(payer)).intent, 1_000);
    site.stripe.refund((await paymentOf(other)).intent, 100);
    await receiveEvents(site);
    await expectPaused(payer, "refunded");
    await expectPaused(other, "refunded");
  });

  test("a dispute pauses, and stays so when it is won", async () => {
    const payer = await newAbove();
    const dispute = site.stripe.dispute((await paymentOf(payer)).intent, 1_000);
    site.stripe.withdrawFunds(dispute);
    await receiveEvents(site);
    await expectPaused(payer, "disputed");
    site.stripe.reinstateFunds(dispute);
    site.stripe.closeDispute(dispute, "won");
    await receiveEvents(site);
    await expectPaused(payer, "disputed");
  });

  test("an inquiry of the bank pauses, although no money has moved", async () => {
    const payer = await newAbove();
    site.stripe.dispute((await paymentOf(payer)).intent, 1_000);
    await receiveEvents(site);
    expect(await site.balance(payer)).toBe(10n * dollars);
    await expectPaused(payer, "disputed");
  });

  test("an adjustment that takes the account below pauses", async () => {
    const payer = await newAbove();
    await adjust(payer, -8n * dollars);
    await expectPaused(payer, "lowered");
  });

  test("what an adjustment gave and takes back pauses, whatever calls spent meanwhile", async () => {
    const payer = await newAbove();
    await adjust(payer, 20n * dollars);
    await site.spend(payer, 8n * dollars);
    await run();
    expect(await charges(site, payer)).toEqual([]);
    await adjust(payer, -18n * dollars);
    // Spent before the job has noticed.
    await site.spend(payer, 1n * dollars);
    await expectPaused(payer, "lowered");
  });

  test("a credit limit that is set and withdrawn pauses, whatever calls spent meanwhile", async () => {
    const payer = await newAbove();
    await limit(payer, 20n * dollars);
    await site.spend(payer, 6n * dollars);
    await limit(payer, 0n);
    await expectPaused(payer, "lowered");
  });

  test("a refund that Stripe refuses changes nothing, and nothing is charged while it is open", async () => {
    const payer = await newAbove();
    const { id: topUpId } = await paymentOf(payer);
    const by = { kind: "operator", name: "grace" } as const;
    const refund = () =>
      refundTopUp(site.app.db, site.billing, { topUpId, idempotencyKey: "all", by });
    const repairOne = site.stripe.breakDown(500, /^\/refunds$/);
    expect(refund()).rejects.toThrow();
    await refund().catch(() => undefined);
    repairOne();
    await run();
    expect(await settings(payer)).toMatchObject({ state: "ok" });
    const repair = site.stripe.breakDown(400, /^\/refunds$/);
    expect(refund()).rejects.toThrow("Stripe refuses");
    await refund().catch(() => undefined);
    repair();
    await run();
    expect(await settings(payer)).toMatchObject({ state: "ok" });
    expect(await mailsTo(site, payer, "auto_top_up_paused")).toEqual([]);
    expect(await charges(site, payer)).toEqual([]);
    await site.spend(payer, 6n * dollars);
    await run();
    expect(await charges(site, payer)).toEqual(["paid"]);
  });

  test("a charge-back of an account whose card was declined is not answered by charging another card", async () => {
    const payer = await newAbove();
    await site.spend(payer, 6n * dollars);
    site.stripe.answerCharges("card_declined");
    await run();
    expect(await settings(payer)).toMatchObject({ state: "declined" });
    site.stripe.answerCharges("succeeded");
    const dispute = site.stripe.dispute((await paymentOf(payer)).intent, 1_000);
    site.stripe.withdrawFunds(dispute);
    await receiveEvents(site);
    await saveCard(site, payer, "7");
    await run();
    expect(await settings(payer)).toMatchObject({ state: "disputed" });
    expect(await charges(site, payer)).toEqual(["failed"]);
  });

  test("a charge that is undecided is not made once its account is above the threshold", async () => {
    const payer = await newAbove();
    await site.spend(payer, 6n * dollars);
    const repair = site.stripe.breakDown(500, /^\/payment_intents$/);
    await run();
    expect(await charges(site, payer)).toEqual(["created"]);
    repair();
    const { sessionId } = await site.start(payer, "100");
    site.stripe.pay(sessionId);
    await receiveEvents(site);
    await run();
    expect(await charges(site, payer)).toEqual(["expired"]);
  });

  test("an account that is locked delays no other", async () => {
    const payers = [await newAbove(), await newAbove(), await newAbove()];
    const [first, , last] = payers.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
    if (first === undefined || last === undefined) throw new Error("there is nobody");
    await adjust(first, -8n * dollars);
    await site.spend(last, 6n * dollars);
    await site.owner.sql.begin(async (tx) => {
      await tx`select 1 from auto_top_ups where account_id = ${first.accountId} for update`;
      await run();
    });
    expect(await charges(site, last)).toEqual(["paid"]);
    await expectPaused(first, "lowered");
  });

  test("a lower credit limit that takes the account below pauses", async () => {
    const payer = await newAbove();
    await limit(payer, 20n * dollars);
    await set(payer, low);
    await site.spend(payer, 9n * dollars);
    await limit(payer, 0n);
    await expectPaused(payer, "lowered");
  });

  test("an adjustment that leaves it above changes nothing about what calls do", async () => {
    const payer = await newAbove();
    await adjust(payer, -2n * dollars);
    await run();
    expect(await settings(payer)).toMatchObject({ state: "ok" });
    await site.spend(payer, 4n * dollars);
    await run();
    expect(await charges(site, payer)).toEqual(["paid"]);
  });

  test("what calls have only reserved is not spent", async () => {
    const payer = await newUser(site, { thresholdNanos: toNanos(9n * dollars) });
    await site.spend(payer, 1_000n);
    await run();
    expect(await charges(site, payer)).toEqual([]);
  });
});

describe("who would pay", () => {
  test.each([
    ["suspended_at", "suspended"],
    ["frozen_at", "frozen"],
  ])("an account with %s is paused, and resumes only when that is over", async (column, state) => {
    const payer = await newUser(site);
    await site.owner.sql`update accounts set ${site.owner.sql(column)} = now()
     where id = ${payer.accountId}`;
    await expectPaused(payer, state);
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

  test("the card of someone who is no longer a member is not charged; a member saves another", async () => {
    const owner = await site.newPayer();
    const guest = await site.newPayer();
    await site.owner.sql`insert into memberships (account_id, person_id, role)
      values (${owner.accountId}, ${guest.personId}, 'admin')`;
    await saveCard(site, { ...owner, personId: guest.personId }, "10");
    await set(owner);
    await site.owner.sql`delete from memberships
      where account_id = ${owner.accountId} and person_id = ${guest.personId}`;
    await expectPaused(owner, "card_owner_left");
    expect(set(owner)).rejects.toThrow("Save another one first");
    await saveCard(site, owner, "10");
    await set(owner, { thresholdNanos: toNanos(20n * dollars) });
    expect(await settings(owner)).toMatchObject({ state: "ok" });
  });

  test("the card of a member who asked for their deletion is not charged", async () => {
    const owner = await site.newPayer();
    const guest = await site.newPayer();
    await site.owner.sql`insert into memberships (account_id, person_id, role)
      values (${owner.accountId}, ${guest.personId}, 'admin')`;
    await saveCard(site, { ...owner, personId: guest.personId }, "10");
    await set(owner);
    await site.owner.sql`update accounts set kind = 'organization' where id = ${owner.accountId}`;
    await site.owner.sql`update persons set deletion_due_at = now() + interval '7 days'
      where id = ${guest.personId}`;
    await expectPaused(owner, "card_owner_left");
  });

  test("a request for deletion has the card forgotten also where something was paused before", async () => {
    const payer = await newUser(site);
    site.stripe.refund((await paymentOf(payer)).intent, 100);
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
    await expectPaused(payer, "deletion");
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
});
