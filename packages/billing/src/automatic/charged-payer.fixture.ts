// For tests of automatic top-ups: people with a saved card, and what became of its charges.
import { expect } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { toNanos } from "@turnpike/terms";
import { workInbox } from "../inbox/work-inbox.ts";
import type { Payer, TestBilling } from "../open-test-billing.fixture.ts";
import { createTopUp } from "../top-up/create-top-up.ts";
import { type AutoTopUpChange, queryAutoTopUp, setAutoTopUp } from "./auto-top-up.ts";
import { topUpAutomatically } from "./top-up-automatically.ts";

export const dollars = 1_000_000_000n;

export const usual = {
  enabled: true,
  thresholdNanos: toNanos(15n * dollars),
  amountUsd: "20",
  ceilingNanos: toNanos(50n * dollars),
} satisfies AutoTopUpChange;

export type Changes = Partial<typeof usual>;

export async function receiveEvents(site: TestBilling): Promise<void> {
  await site.receiveAll();
  await workInbox(site.app.db, site.billing);
}

/** Pays, and saves the card. */
export async function saveCard(site: TestBilling, payer: Payer, amountUsd: string): Promise<void> {
  const attemptId = newId<TopUpId>();
  await createTopUp(site.app.db, site.billing, { attemptId, ...payer, amountUsd, savesCard: true });
  const [row] = await site.owner.sql<{ id: string }[]>`
    select checkout_session_id as id from top_ups where id = ${attemptId}`;
  site.stripe.pay(row?.id ?? "");
  await receiveEvents(site);
}

/** Someone who has $10 and a saved card. */
export async function newSaver(site: TestBilling): Promise<Payer> {
  const payer = await site.newPayer();
  await saveCard(site, payer, "10");
  return payer;
}

/** The same with automatic top-ups, which are due at once. */
export async function newUser(site: TestBilling, changes: Changes = {}): Promise<Payer> {
  const payer = await newSaver(site);
  await setAutoTopUp(site.app.db, site.billing, payer.accountId, { ...usual, ...changes });
  return payer;
}

/** What was charged to the saved card of the account, by the state of its order. */
export async function charges(site: TestBilling, payer: Payer): Promise<readonly string[]> {
  const rows = await site.owner.sql<{ state: string }[]>`
    select state from top_ups where account_id = ${payer.accountId}
       and payment_method_id is not null order by created_at`;
  return rows.map(({ state }) => state);
}

export async function mailsTo(site: TestBilling, payer: Payer, kind: string): Promise<unknown[]> {
  const rows = await site.owner.sql<{ message: unknown }[]>`
    select message from outbox where recipient = ${payer.email}
       and message ->> 'kind' = ${kind} order by created_at`;
  return rows.map(({ message }) => message);
}

/** The newest that was credited. */
export async function paymentOf(site: TestBilling, { accountId }: Payer) {
  const [row] = await site.owner.sql<{ id: TopUpId; intent: string }[]>`
    select id, payment_intent_id as intent from top_ups
     where account_id = ${accountId} and credited_nanos > 0 order by created_at desc limit 1`;
  if (row === undefined) throw new Error("nothing was paid");
  return row;
}

/** Once, with one mail, and nothing is charged however often the job runs. */
export async function expectPaused(site: TestBilling, payer: Payer, state: string): Promise<void> {
  await topUpAutomatically(site.app.db, site.billing);
  await topUpAutomatically(site.app.db, site.billing);
  expect(await queryAutoTopUp(site.app.db, payer.accountId)).toMatchObject({ state });
  expect(await charges(site, payer)).toEqual([]);
  expect(await mailsTo(site, payer, "auto_top_up_paused")).toMatchObject([{ reason: state }]);
}
