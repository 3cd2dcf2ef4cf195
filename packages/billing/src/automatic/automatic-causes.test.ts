// Automatic top-ups follow spending: whatever else lowers a balance charges nothing, says why, and waits for a person.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { postMovement } from "@turnpike/ledger";
import { toNanos } from "@turnpike/terms";
import { openTestBilling, type Payer, type TestBilling } from "../open-test-billing.fixture.ts";
import { refundTopUp } from "../refund/refund-top-up.ts";
import { queryAutoTopUp, setAutoTopUp } from "./auto-top-up.ts";
import {
  type Changes,
  charges,
  dollars,
  expectPaused,
  mailsTo,
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
beforeEach(() => site.stripe.answerCharges("succeeded"));
afterEach(async () => {
  expect(await site.check()).toEqual([]);
  await site.owner.sql`update auto_top_ups set enabled = false`;
});
afterAll(() => site.close());

const run = () => topUpAutomatically(site.app.db, site.billing);
const settings = (payer: Payer) => queryAutoTopUp(site.app.db, payer.accountId);
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

test("a refund at the desk pauses, and resuming charges once", async () => {
  const payer = await newAbove();
  const { id: topUpId } = await paymentOf(site, payer);
  const by = { kind: "operator", name: "grace" } as const;
  await refundTopUp(site.app.db, site.billing, { topUpId, idempotencyKey: "all", by });
  await expectPaused(site, payer, "refunded");
  await set(payer, low);
  await run();
  await run();
  expect(await charges(site, payer)).toEqual(["paid"]);
  expect(await settings(payer)).toMatchObject({ state: "ok" });
});

test("a refund at Stripe pauses, also one that leaves the balance above the threshold", async () => {
  const [payer, other] = [await newAbove(), await newAbove()];
  site.stripe.refund((await paymentOf(site, payer)).intent, 1_000);
  site.stripe.refund((await paymentOf(site, other)).intent, 100);
  await receiveEvents(site);
  await expectPaused(site, payer, "refunded");
  await expectPaused(site, other, "refunded");
});

test("a dispute pauses, and stays so when it is won", async () => {
  const payer = await newAbove();
  const dispute = site.stripe.dispute((await paymentOf(site, payer)).intent, 1_000);
  site.stripe.withdrawFunds(dispute);
  await receiveEvents(site);
  await expectPaused(site, payer, "disputed");
  site.stripe.reinstateFunds(dispute);
  site.stripe.closeDispute(dispute, "won");
  await receiveEvents(site);
  await expectPaused(site, payer, "disputed");
});

test("an inquiry of the bank pauses, although no money has moved", async () => {
  const payer = await newAbove();
  site.stripe.dispute((await paymentOf(site, payer)).intent, 1_000);
  await receiveEvents(site);
  expect(await site.balance(payer)).toBe(10n * dollars);
  await expectPaused(site, payer, "disputed");
});

test("an adjustment that takes the account below pauses", async () => {
  const payer = await newAbove();
  await adjust(payer, -8n * dollars);
  await expectPaused(site, payer, "lowered");
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
  await expectPaused(site, payer, "lowered");
});

test("a credit limit that is set and withdrawn pauses, whatever calls spent meanwhile", async () => {
  const payer = await newAbove();
  await limit(payer, 20n * dollars);
  await site.spend(payer, 6n * dollars);
  await limit(payer, 0n);
  await expectPaused(site, payer, "lowered");
});

test("a refund that Stripe refuses changes nothing, and nothing is charged while it is open", async () => {
  const payer = await newAbove();
  const { id: topUpId } = await paymentOf(site, payer);
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
  const dispute = site.stripe.dispute((await paymentOf(site, payer)).intent, 1_000);
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
  await expectPaused(site, first, "lowered");
});

test("a lower credit limit that takes the account below pauses", async () => {
  const payer = await newAbove();
  await limit(payer, 20n * dollars);
  await set(payer, low);
  await site.spend(payer, 9n * dollars);
  await limit(payer, 0n);
  await expectPaused(site, payer, "lowered");
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
