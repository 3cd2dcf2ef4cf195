// The job that charges the saved cards of accounts that calls took below their threshold. The order row comes before
// Stripe is called, and its id is the idempotency key: a process that dies in between neither charges twice nor
// loses a payment, because the next run takes up every order that is undecided.

import { Fault, type TopUpId } from "@turnpike/base";
import { accountMoney, accounts, autoTopUps, type Db, topUps } from "@turnpike/db";
import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import { followEmail, queryCustomer } from "../stripe/ensure-customer.ts";
import { forgetCards } from "../stripe/forget-cards.ts";
import { isStripeAway } from "../stripe/stripe.ts";
import type { StripeApi } from "../stripe/stripe-api.ts";
import { failTopUp } from "../top-up/fail-top-up.ts";
import { findOrderById, lockOrder, type Order } from "../top-up/find-order.ts";
import { followTopUp } from "../top-up/follow-top-up.ts";
import { creditSandboxTopUp } from "../top-up/sandbox-top-up.ts";
import { toCents } from "../top-up/top-up-amount.ts";
import { beginCharges, mayCharge } from "./begin-charges.ts";
import { noteFailure } from "./note-automatic.ts";
import { pauseStopped } from "./pause-automatic.ts";
import { markUnmarked } from "./spending.ts";

/** After so many charges in a row for which Stripe was unreachable, the rest waits for the next run. */
const awayMax = 3;

/** Returns how many charges were decided; safe to run concurrently. */
export async function topUpAutomatically(db: Db, billing: Billing): Promise<number> {
  if (billing.mode === "none") return 0;
  await markUnmarked(db);
  await pauseStopped(db, billing);
  await beginCharges(db, billing);
  const decided = await decideCharges(db, billing);
  await forgetCards(db, billing);
  return decided;
}

/** Each undecided charge once, those first that were tried longest ago. */
async function decideCharges(db: Db, billing: Billing): Promise<number> {
  const [now] = await db.execute<{ at: string }>(sql`select now()::text as at`);
  let decided = 0;
  let away = 0;
  while (away < awayMax) {
    const id = await findUndecided(db, billing, now?.at ?? "");
    if (id === undefined) break;
    try {
      await decideCharge(db, billing, id);
      decided += 1;
      away = 0;
    } catch (error) {
      away = isStripeAway(error) ? away + 1 : 0;
      billing.log.warn({ err: error, topUpId: id }, "an automatic top-up is undecided");
    }
    await noteTry(db, id);
  }
  return decided;
}

/** One that was not tried since. */
async function findUndecided(
  db: Db,
  billing: Billing,
  since: string,
): Promise<TopUpId | undefined> {
  const [undecided] = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(
      and(
        isNotNull(topUps.paymentMethodId),
        eq(topUps.state, "created"),
        eq(topUps.processor, billing.stripe === undefined ? "sandbox" : "stripe"),
        eq(topUps.livemode, billing.stripe?.livemode ?? false),
        lt(topUps.updatedAt, sql`${since}::timestamptz`),
      ),
    )
    .orderBy(asc(topUps.updatedAt), asc(topUps.id))
    .limit(1);
  return undecided?.id;
}

async function noteTry(db: Db, id: TopUpId): Promise<void> {
  await db
    .update(topUps)
    .set({ updatedAt: sql`clock_timestamp()` })
    .where(and(eq(topUps.id, id), eq(topUps.state, "created")));
}

/** Charges the card, or finds out whether it was charged before; leaves the order undecided if Stripe is unreachable. */
async function decideCharge(db: Db, billing: Billing, id: TopUpId): Promise<void> {
  const { stripe } = billing;
  if (stripe === undefined) {
    await db.transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      if (order.state === "created") await creditSandboxTopUp(tx, billing, order);
    });
    return;
  }
  const order = await findOrderById(db, id);
  if (order?.state !== "created") return;
  try {
    const intentId = await chargeOrder(db, billing, stripe, order);
    if (intentId === undefined) await endUncharged(db, id);
    else await followTopUp(db, billing, stripe, { topUpId: id, sessionId: intentId });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await refuseCharge(db, billing, id, error.message);
  }
}

/** The payment intent; undefined without one, if it may no longer be made. */
async function chargeOrder(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  order: Order,
): Promise<string | undefined> {
  const { paymentMethodId } = order;
  const customerId = await queryCustomer(db, order.accountId);
  if (customerId === null || paymentMethodId === null)
    throw new Fault("conflict", "There is no saved card.");
  if (!(await isStillWanted(db, order))) {
    return stripe.findCharge({ topUpId: order.id, customerId });
  }
  // Owners may have changed since the last payment, and Stripe mails the receipt.
  await followEmail(db, billing, stripe, order.accountId, customerId);
  return stripe.chargeCard({
    topUpId: order.id,
    accountId: order.accountId,
    customerId,
    paymentMethodId,
    amountCents: toCents(order.amountNanos),
  });
}

async function isStillWanted(db: Db, order: Order): Promise<boolean> {
  const [row] = await db
    .select({ id: topUps.id })
    .from(topUps)
    .innerJoin(autoTopUps, eq(autoTopUps.accountId, topUps.accountId))
    .innerJoin(accounts, eq(accounts.id, topUps.accountId))
    .innerJoin(accountMoney, eq(accountMoney.accountId, topUps.accountId))
    .where(
      and(
        eq(topUps.id, order.id),
        gt(topUps.expiresAt, sql`now()`),
        eq(topUps.paymentMethodId, autoTopUps.paymentMethodId),
        mayCharge,
      ),
    );
  return row !== undefined;
}

/** Nothing was charged, and nothing is due now; money that arrives after all is still credited. */
async function endUncharged(db: Db, id: TopUpId): Promise<void> {
  await db
    .update(topUps)
    .set({ state: "expired", updatedAt: sql`now()` })
    .where(and(eq(topUps.id, id), eq(topUps.state, "created")));
}

async function refuseCharge(db: Db, billing: Billing, id: TopUpId, failure: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id);
    if (order.state !== "created") return;
    await failTopUp(tx, order, failure);
    await noteFailure(tx, billing, order, { status: "canceled", failure, failureCode: null });
  });
}
