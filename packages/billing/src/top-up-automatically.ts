// The job that tops up accounts whose available money fell below their threshold. The order row comes before
// Stripe is called, and its id is the idempotency key: a process that dies in between neither charges twice nor
// loses a payment, because the next run takes up every order that is undecided.

import { type AccountId, Fault, type Nanos, newId, type TopUpId } from "@turnpike/base";
import { accounts, autoTopUps, type Db, topUps } from "@turnpike/db";
import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Billing } from "./billing.ts";
import { readCustomer } from "./ensure-customer.ts";
import { failTopUp } from "./fail-top-up.ts";
import { followTopUp } from "./follow-top-up.ts";
import { mailStop, noteFailure, stopAutomatic } from "./note-automatic.ts";
import { findOrderById, lockOrder, type Order } from "./read-order.ts";
import { creditSandboxTopUp } from "./sandbox-top-up.ts";
import type { StripeApi } from "./stripe-api.ts";
import { toCents } from "./top-up-amount.ts";

const batchMax = 200;
/** How long an undecided charge is repeated; Stripe keeps an idempotency key for a day. */
const repeatHours = 1;

const mayCharge = and(
  autoTopUps.enabled,
  eq(autoTopUps.state, "ok"),
  isNotNull(autoTopUps.paymentMethodId),
  isNull(accounts.suspendedAt),
  isNull(accounts.frozenAt),
  isNull(accounts.closedAt),
);
const isLow = sql`${accounts.balanceNanos} + ${accounts.creditLimitNanos} - ${accounts.heldNanos}
  < ${autoTopUps.thresholdNanos}`;

/** Returns how many charges were decided; safe to run concurrently. */
export async function topUpAutomatically(db: Db, billing: Billing): Promise<number> {
  if (billing.mode === "none") return 0;
  const low = await db
    .select({ accountId: autoTopUps.accountId })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .where(and(mayCharge, isLow))
    .limit(batchMax);
  for (const { accountId } of low) await beginCharge(db, billing, accountId);
  const undecided = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(
      and(
        isNotNull(topUps.paymentMethodId),
        eq(topUps.state, "created"),
        eq(topUps.processor, billing.stripe === undefined ? "sandbox" : "stripe"),
        eq(topUps.livemode, billing.stripe?.livemode ?? false),
      ),
    )
    .orderBy(topUps.createdAt)
    .limit(batchMax);
  let decided = 0;
  for (const { id } of undecided) {
    try {
      await decideCharge(db, billing, id);
      decided += 1;
    } catch (error) {
      billing.log.warn({ err: error, topUpId: id }, "an automatic top-up is undecided");
    }
  }
  return decided;
}

/** Writes the order, unless one is under way, the card has expired or the month's ceiling is reached. */
async function beginCharge(db: Db, billing: Billing, accountId: AccountId): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .select({ accountId: autoTopUps.accountId })
      .from(autoTopUps)
      .where(eq(autoTopUps.accountId, accountId))
      .for("update");
    // Read after the lock was taken: another instance may have topped up meanwhile.
    const wanted = await readWanted(tx, accountId);
    if (wanted === undefined || wanted.isUnderWay) return;
    const { amountNanos, paymentMethodId } = wanted;
    if (wanted.isExpired) {
      await stopAutomatic(tx, billing, { accountId, amountNanos }, "expired_card", null);
      return;
    }
    if (wanted.isBeyondCeiling) {
      if (!wanted.isTold) await tellCeiling(tx, billing, accountId, wanted.ceilingNanos);
      return;
    }
    await tx.insert(topUps).values({
      id: newId<TopUpId>(),
      accountId,
      amountNanos,
      paymentMethodId,
      processor: billing.stripe === undefined ? "sandbox" : "stripe",
      livemode: billing.stripe?.livemode ?? false,
      expiresAt: sql`now() + make_interval(hours => ${repeatHours}::int)`,
    });
  });
}

const monthStart = sql`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
const automatic = and(
  eq(topUps.accountId, autoTopUps.accountId),
  isNotNull(topUps.paymentMethodId),
);

const chargedThisMonth = sql`(select coalesce(sum(${topUps.amountNanos}), 0) from top_ups
  where ${automatic} and ${topUps.createdAt} >= ${monthStart}
    and ${topUps.state} not in ('failed', 'canceled', 'expired'))`;

async function readWanted(tx: Db, accountId: AccountId) {
  const [row] = await tx
    .select({
      amountNanos: autoTopUps.amountNanos,
      ceilingNanos: autoTopUps.ceilingNanos,
      paymentMethodId: autoTopUps.paymentMethodId,
      isTold: sql<boolean>`coalesce(${autoTopUps.ceilingToldAt} >= ${monthStart}, false)`,
      isExpired: sql<boolean>`coalesce(make_date(${autoTopUps.cardExpYear}, ${autoTopUps.cardExpMonth}, 1)
        + interval '1 month' <= now() at time zone 'UTC', false)`,
      isUnderWay: sql<boolean>`exists (select from top_ups where ${automatic}
        and ${topUps.state} in ('created', 'pending', 'processing'))`,
      isBeyondCeiling: sql<boolean>`${chargedThisMonth} + ${autoTopUps.amountNanos} > ${autoTopUps.ceilingNanos}`,
    })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .where(and(eq(autoTopUps.accountId, accountId), mayCharge, isLow));
  if (row === undefined) return undefined;
  const { amountNanos, ceilingNanos, paymentMethodId } = row;
  if (amountNanos === null || ceilingNanos === null || paymentMethodId === null) return undefined;
  return { ...row, amountNanos, ceilingNanos, paymentMethodId };
}

async function tellCeiling(
  tx: Db,
  billing: Billing,
  accountId: AccountId,
  ceilingNanos: Nanos,
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ ceilingToldAt: sql`now()` })
    .where(eq(autoTopUps.accountId, accountId));
  await mailStop(tx, billing, accountId, "ceiling", ceilingNanos);
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
  if (order?.state !== "created" || order.paymentMethodId === null) return;
  try {
    const intentId = await chargeOrder(db, stripe, order, order.paymentMethodId);
    if (intentId === undefined) await endUncharged(db, id);
    else await followTopUp(db, billing, stripe, { topUpId: id, sessionId: intentId });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await refuseCharge(db, billing, id, error.message);
  }
}

/** The payment intent; undefined without one, if it may not be made any more. */
async function chargeOrder(
  db: Db,
  stripe: StripeApi,
  order: Order,
  paymentMethodId: string,
): Promise<string | undefined> {
  const customerId = await readCustomer(db, order.accountId);
  if (customerId === null) throw new Fault("conflict", "There is no saved card.");
  if (!(await isStillWanted(db, order))) {
    return stripe.findCharge({ topUpId: order.id, customerId });
  }
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

/** Nothing was charged, and it was turned off meanwhile; money that arrives after all is still credited. */
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
