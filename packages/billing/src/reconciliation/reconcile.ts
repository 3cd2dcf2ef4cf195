// Finds what no webhook reported: asks Stripe for the events and checkouts of the last days, or since its last event,
// and for pending orders, and restores orders that the database lost. What it finds is processed like any other event.
// Names what was credited in that time although Stripe knows no payment for it.

import type { TopUpId } from "@turnpike/base";
import { type Db, stripeInbox, topUps } from "@turnpike/db";
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, max, or, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "../billing.ts";
import { storeEvents } from "../inbox/inbox-queue.ts";
import { claimOf, workInbox } from "../inbox/work-inbox.ts";
import { finishRefunds } from "../refund/refund-top-up.ts";
import type { ListedSession, StripeApi } from "../stripe/stripe-api.ts";
import { type Followed, followTopUp } from "../top-up/follow-top-up.ts";
import { dropPaid, lookUpUnpaid, queryCredits } from "./find-unpaid-credits.ts";
import { restoreOrders } from "./restore-orders.ts";

const dayMs = 86_400_000;
const lookBackMinMs = 3 * dayMs;
/** Stripe keeps events for 30 days. */
const lookBackMaxMs = 30 * dayMs;
const waitingMax = 500;

export type Reconciled = {
  /** Events that had not reached us. */
  readonly missedEvents: number;
  /** Orders asked about one by one. */
  readonly followed: number;
  readonly failed: number;
  /** Credited orders of that time that nobody has paid, as far as Stripe knows. */
  readonly unpaidCredits: readonly TopUpId[];
};

/** Throws if Stripe or the database is unreachable; what was found until then is kept. */
export async function reconcile(db: Db, billing: Billing): Promise<Reconciled> {
  const stripe = requireStripe(billing);
  const since = await querySince(db);
  let missedEvents = 0;
  for await (const events of stripe.listEvents(since))
    missedEvents += await storeEvents(db, events);
  await reviveEvents(db, since);
  await workInbox(db, billing);
  await closeUnopened(db);
  const credits = await queryCredits(db, since);
  const waiting = [...(await listWaiting(db, stripe))];
  for await (const sessions of stripe.listSessions(since)) {
    dropPaid(credits, sessions);
    await restoreOrders(db, billing, sessions);
    waiting.push(...(await findUnnoticed(db, sessions)));
  }
  let failed = await finishRefunds(db, billing);
  for (const followed of waiting) {
    try {
      await followTopUp(db, billing, stripe, followed);
    } catch (error) {
      failed += 1;
      billing.log.warn({ err: error, topUpId: followed.topUpId }, "a top-up could not be read");
    }
  }
  const unpaidCredits = await lookUpUnpaid(stripe, credits);
  return { missedEvents, followed: waiting.length, failed, unpaidCredits };
}

/** Three days ago, or the time of Stripe's last event if that is earlier. */
async function querySince(db: Db): Promise<Date> {
  const [row] = await db.select({ latest: max(stripeInbox.created) }).from(stripeInbox);
  const latestMs = row?.latest?.getTime() ?? Date.now();
  const sinceMs = Math.min(latestMs, Date.now() - lookBackMinMs);
  return new Date(Math.max(sinceMs, Date.now() - lookBackMaxMs));
}

async function listWaiting(db: Db, stripe: StripeApi): Promise<readonly Followed[]> {
  const rows = await db
    .select({ topUpId: topUps.id })
    .from(topUps)
    .where(
      and(
        eq(topUps.processor, "stripe"),
        eq(topUps.livemode, stripe.livemode),
        inArray(topUps.state, ["created", "pending", "processing"]),
      ),
    )
    .orderBy(asc(topUps.updatedAt))
    .limit(waitingMax);
  return rows;
}

/** Completed checkouts that their order has no record of, and those without an order. */
async function findUnnoticed(db: Db, sessions: readonly ListedSession[]): Promise<Followed[]> {
  const claims = sessions.flatMap(({ status, sessionId, clientReferenceId }) => {
    const claim = status === "complete" ? claimOf(sessionId, clientReferenceId) : undefined;
    return claim ?? [];
  });
  const rows = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(
      and(
        inArray(
          topUps.id,
          claims.map(({ topUpId }) => topUpId),
        ),
        inArray(topUps.state, ["canceled", "expired", "created"]),
      ),
    );
  const ids = new Set(rows.map(({ id }) => id));
  return claims.filter(({ topUpId }) => ids.has(topUpId));
}

/** Their failure may be resolved: each gets one more try at every reconciliation in that time. */
async function reviveEvents(db: Db, since: Date): Promise<void> {
  await db
    .update(stripeInbox)
    .set({ deadAt: null, nextAttemptAt: sql`now()` })
    .where(and(isNotNull(stripeInbox.deadAt), gte(stripeInbox.receivedAt, since)));
}

/** An order that never got a checkout expires at its deadline. */
async function closeUnopened(db: Db): Promise<void> {
  await db
    .update(topUps)
    .set({ state: "expired", updatedAt: sql`now()` })
    .where(
      and(
        inArray(topUps.state, ["created", "pending"]),
        or(isNull(topUps.checkoutSessionId), eq(topUps.processor, "sandbox")),
        lt(topUps.expiresAt, sql`now()`),
      ),
    );
}
