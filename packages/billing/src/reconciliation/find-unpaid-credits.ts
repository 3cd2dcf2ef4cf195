// Finds credited orders for which Stripe knows no payment: the database proves that money and order belong together,
// only Stripe that somebody paid. When a credit was posted is read from the ledger, whose rows the server's role cannot
// date; everything else of an order it could have invented.

import type { TopUpId } from "@turnpike/base";
import { type Db, ledgerTransactions, topUps } from "@turnpike/db";
import { and, desc, eq, gte, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "../billing.ts";
import type { ListedSession, StripeApi } from "../stripe/stripe-api.ts";
import { findMismatch, type PayableOrder } from "../top-up/classify-payment.ts";

const askedMax = 500;

export type Credited = PayableOrder & { readonly paymentIntentId: string | null };

/** By the session that is said to have paid each. */
export type UnprovenCredits = Map<string, Credited>;

/** The ids of orders credited since then that Stripe does not know as paid. Throws if Stripe cannot be asked. */
export async function findUnpaidCredits(
  db: Db,
  billing: Billing,
  since: Date,
): Promise<readonly TopUpId[]> {
  const stripe = requireStripe(billing);
  const credits = await queryCredits(db, since);
  for await (const sessions of stripe.listSessions(since)) dropPaid(credits, sessions);
  return lookUpUnpaid(stripe, credits);
}

/** Orders of the other mode, too: the key that is configured proves no payment of theirs. */
export async function queryCredits(db: Db, since: Date): Promise<UnprovenCredits> {
  const rows = await db
    .select({
      id: topUps.id,
      accountId: topUps.accountId,
      amountNanos: topUps.amountNanos,
      livemode: topUps.livemode,
      checkoutSessionId: topUps.checkoutSessionId,
      paymentIntentId: topUps.paymentIntentId,
    })
    .from(topUps)
    .innerJoin(
      ledgerTransactions,
      eq(ledgerTransactions.idempotencyKey, sql`'stripe:' || ${topUps.paymentIntentId}`),
    )
    .where(
      and(
        eq(topUps.processor, "stripe"),
        sql`${topUps.creditedNanos} > 0`,
        gte(ledgerTransactions.createdAt, since),
      ),
    )
    .orderBy(desc(ledgerTransactions.createdAt));
  return new Map(rows.map((row) => [row.checkoutSessionId ?? row.id, row]));
}

/** Removes what these sessions have paid. */
export function dropPaid(credits: UnprovenCredits, sessions: readonly ListedSession[]): void {
  for (const session of sessions) {
    const order = credits.get(session.sessionId);
    if (order !== undefined && isPaidBy(order, session)) credits.delete(session.sessionId);
  }
}

/**
 * Asks about those whose session is older than what was listed. They are few, because a session is open for a day at
 * most; beyond 500 they count as unpaid.
 */
export async function lookUpUnpaid(
  stripe: StripeApi,
  credits: UnprovenCredits,
): Promise<readonly TopUpId[]> {
  for (const [sessionId, order] of [...credits].slice(0, askedMax)) {
    if (order.livemode !== stripe.livemode) continue;
    const session = await stripe.findSession(sessionId);
    if (session !== undefined) dropPaid(credits, [session]);
  }
  return [...credits.values()].map(({ id }) => id);
}

function isPaidBy(order: Credited, session: ListedSession): boolean {
  return (
    findMismatch(order, session.customerId, session) === undefined &&
    session.paymentStatus === "paid" &&
    session.intentId === order.paymentIntentId
  );
}
