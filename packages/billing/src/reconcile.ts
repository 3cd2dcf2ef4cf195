// Finds what no webhook told us: asks Stripe for the events and checkouts of the last days, or since
// it was last heard of, and for the orders that still wait. What it finds goes the way every event goes.

import { type Db, stripeInbox, topUps } from "@turnpike/db";
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, max, or, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "./billing.ts";
import { type Followed, followTopUp } from "./follow-top-up.ts";
import { storeEvents } from "./receive-event.ts";
import type { StripeApi } from "./stripe-api.ts";
import { claimOf, workInbox } from "./work-inbox.ts";

const dayMs = 86_400_000;
const lookBackMinMs = 3 * dayMs;
/** Stripe forgets its events after 30 days. */
const lookBackMaxMs = 30 * dayMs;
const waitingMax = 500;

export type Reconciled = {
  /** Events that had not reached us. */
  readonly missedEvents: number;
  /** Orders asked about one by one. */
  readonly followed: number;
  readonly failed: number;
};

/** Throws where Stripe or the database is away; whatever was found until then is kept. */
export async function reconcile(db: Db, billing: Billing): Promise<Reconciled> {
  const stripe = requireStripe(billing);
  const since = await readSince(db);
  let missedEvents = 0;
  for await (const events of stripe.listEvents(since))
    missedEvents += await storeEvents(db, events);
  await reviveEvents(db, since);
  await workInbox(db, billing);
  await closeUnopened(db);
  const waiting = [...(await listWaiting(db, stripe)), ...(await listUnnoticed(db, stripe, since))];
  let failed = 0;
  for (const followed of waiting) {
    try {
      await followTopUp(db, billing, stripe, followed);
    } catch (error) {
      failed += 1;
      billing.log.warn({ err: error, topUpId: followed.topUpId }, "a top-up could not be read");
    }
  }
  return { missedEvents, followed: waiting.length, failed };
}

/** Three days ago, or when Stripe was last heard of, if that is longer ago. */
async function readSince(db: Db): Promise<Date> {
  const [row] = await db.select({ heard: max(stripeInbox.created) }).from(stripeInbox);
  const heardMs = row?.heard?.getTime() ?? Date.now();
  const sinceMs = Math.min(heardMs, Date.now() - lookBackMinMs);
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

/** Checkouts that were completed and whose order says nothing of it, and such as nobody remembers. */
async function listUnnoticed(db: Db, stripe: StripeApi, since: Date): Promise<readonly Followed[]> {
  const unnoticed: Followed[] = [];
  for await (const sessions of stripe.listSessions(since)) {
    const claims = sessions.flatMap(({ complete, sessionId, clientReferenceId }) => {
      const claim = complete ? claimOf(sessionId, clientReferenceId) : undefined;
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
    unnoticed.push(...claims.filter(({ topUpId }) => ids.has(topUpId)));
  }
  return unnoticed;
}

/** What killed them may be over: each has one more try at every reconciliation of those days. */
async function reviveEvents(db: Db, since: Date): Promise<void> {
  await db
    .update(stripeInbox)
    .set({ deadAt: null, nextAttemptAt: sql`now()` })
    .where(and(isNotNull(stripeInbox.deadAt), gte(stripeInbox.receivedAt, since)));
}

/** An order that never came to a checkout is over when its time is. */
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
