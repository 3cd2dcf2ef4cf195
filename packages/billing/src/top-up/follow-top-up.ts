// Updates one order to the current state of its payment at Stripe. Events only say that something
// happened; this reads the state itself, so their order, number and absence do not matter. Stripe is
// read without a lock; if another update was applied meanwhile, it is read again.

import type { TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { maxNanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { noteCredit, noteFailure } from "../automatic/note-automatic.ts";
import { pauseAutomatic } from "../automatic/pause-automatic.ts";
import type { Billing } from "../billing.ts";
import { type EndedClaim, endClaim } from "../refund/refund-claims.ts";
import { type Reversal, reverseTopUp, takesMoney } from "../refund/reverse-top-up.ts";
import { queryCustomer } from "../stripe/ensure-customer.ts";
import type { Payment, StripeApi } from "../stripe/stripe-api.ts";
import { classifyPayment } from "./classify-payment.ts";
import { creditTopUp } from "./credit-top-up.ts";
import { failTopUp } from "./fail-top-up.ts";
import { findOrderById, lockOrder, type Order } from "./find-order.ts";
import { fromCents } from "./top-up-amount.ts";

const triesMax = 8;

export type Followed = {
  readonly topUpId: TopUpId;
  /** The session that claims this order; default: the one we created. */
  readonly sessionId?: string;
  /** Set by an operator: a quarantined payment may be credited if it matches now. */
  readonly release?: boolean;
  /** A refund that Stripe has made or refused; it ends with what Stripe says now. */
  readonly ended?: EndedClaim;
};

/** Does nothing for an order that is not Stripe's or never had a session. */
export async function followTopUp(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  followed: Followed,
): Promise<void> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const order = await findOrderById(db, followed.topUpId);
    const sessionId = followed.sessionId ?? order?.checkoutSessionId;
    if (order?.processor !== "stripe" || typeof sessionId !== "string") return;
    const payment = await stripe.readPayment(sessionId);
    if (takesMoney(order, reversalOf(order, payment))) await billing.recallLeases(order.accountId);
    const applied = await db.transaction(async (transaction) => {
      const locked = await lockOrder(transaction, order.id);
      if (locked.version !== order.version) return false;
      const { ended, release = false } = followed;
      const current = ended === undefined ? locked : await endClaim(transaction, locked, ended);
      await applyPayment(transaction, billing, current, payment, release);
      if (ended !== undefined && wasMade(ended, locked, payment)) {
        await pauseAutomatic(transaction, billing, locked.accountId, "refunded");
      }
      return true;
    });
    if (applied) return;
  }
  throw new Error(`top-up ${followed.topUpId} keeps changing`);
}

/** A claim that was given up may have been made all the same: then Stripe shows all that the claims have taken. */
function wasMade({ state }: EndedClaim, order: Order, payment: Payment): boolean {
  return (
    state === "made" ||
    fromCents(payment.refundedCents) >= order.reversedNanos - order.disputedNanos
  );
}

async function applyPayment(
  transaction: Db,
  billing: Billing,
  given: Order,
  payment: Payment,
  release: boolean,
): Promise<void> {
  const order = await adoptSession(transaction, given, payment);
  await transaction
    .update(topUps)
    .set({
      version: order.version + 1,
      evidenceDueAt: payment.evidenceDueAt,
      updatedAt: sql`now()`,
    })
    .where(eq(topUps.id, order.id));
  if (order.creditedNanos > 0n) {
    const isItsOwn = payment.intent?.id === order.paymentIntentId;
    if (isItsOwn) await applyReversals(transaction, billing, order, payment);
    else await quarantinePayment(transaction, billing, order, payment, "payment_intent");
    return;
  }
  if (order.state === "quarantined" && !release) return;
  const customerId = await queryCustomer(transaction, order.accountId);
  const classified = classifyPayment(order, customerId, payment);
  if (classified.kind === "mismatch") {
    await quarantinePayment(transaction, billing, order, payment, classified.fact);
    return;
  }
  if (classified.kind === "paid") {
    await creditPayment(transaction, billing, order, payment, classified.paymentIntentId);
    return;
  }
  // A canceled order stays canceled unless it is paid after all.
  if (order.state === "canceled" && classified.state !== "processing") return;
  const failureReason = classified.reason ?? null;
  if (classified.state === "failed") {
    await failTopUp(transaction, order, failureReason);
    if (order.state !== "failed") await noteFailure(transaction, billing, order, payment.intent);
    return;
  }
  await transaction
    .update(topUps)
    .set({ state: classified.state, failureReason })
    .where(eq(topUps.id, order.id));
}

/** A session we created without receiving the response: only our own calls can set its metadata. */
async function adoptSession(transaction: Db, order: Order, payment: Payment): Promise<Order> {
  const isOurs = payment.metadata.top_up_id === order.id;
  if (order.checkoutSessionId !== null || !isOurs) return order;
  const checkoutSessionId = payment.sessionId;
  await transaction.update(topUps).set({ checkoutSessionId }).where(eq(topUps.id, order.id));
  return { ...order, checkoutSessionId };
}

async function creditPayment(
  transaction: Db,
  billing: Billing,
  order: Order,
  payment: Payment,
  paymentIntentId: string,
): Promise<void> {
  const credited = await creditTopUp(transaction, billing, order, {
    idempotencyKey: `stripe:${paymentIntentId}`,
    paymentIntentId,
    receiptUrl: payment.receiptUrl,
  });
  if (!credited) {
    await quarantinePayment(transaction, billing, order, payment, "payment_intent");
    return;
  }
  await noteCredit(transaction, order, payment.intent?.card ?? null);
  const creditedOrder = { ...order, creditedNanos: order.amountNanos };
  await applyReversals(transaction, billing, creditedOrder, payment);
}

async function applyReversals(
  transaction: Db,
  billing: Billing,
  order: Order,
  payment: Payment,
): Promise<void> {
  const taken = await reverseTopUp(transaction, billing, order, reversalOf(order, payment));
  // The money of a dispute may not be withdrawn yet, or never be.
  const isOpened = payment.evidenceDueAt !== null && order.evidenceDueAt === null;
  // What was returned is no reason to charge the card again; neither is what was reinstated one to resume.
  if (taken.disputeNanos > 0n || isOpened) {
    await pauseAutomatic(transaction, billing, order.accountId, "disputed");
  } else if (taken.refundNanos > 0n) {
    await pauseAutomatic(transaction, billing, order.accountId, "refunded");
  }
}

/** What a refund under way has taken stays taken, whether Stripe shows it yet or not. */
function reversalOf({ refundClaimedNanos }: Order, payment: Payment): Reversal {
  return {
    refundedNanos: maxNanos(fromCents(payment.refundedCents), refundClaimedNanos),
    disputedNanos: fromCents(payment.disputedCents),
  };
}

/**
 * A payment that does not match our order is not credited; an operator has to review it. A session that is
 * not ours (a payment link lets anyone name any reference) says nothing about the order itself.
 */
async function quarantinePayment(
  transaction: Db,
  billing: Billing,
  order: Order,
  payment: Payment,
  fact: string,
): Promise<void> {
  billing.meters.countQuarantined();
  billing.log.error(
    { topUpId: order.id, sessionId: payment.sessionId, fact },
    "a payment does not match its order; nothing was credited for it",
  );
  if (order.creditedNanos > 0n || payment.sessionId !== order.checkoutSessionId) return;
  await transaction
    .update(topUps)
    .set({ state: "quarantined", failureReason: fact })
    .where(eq(topUps.id, order.id));
}
