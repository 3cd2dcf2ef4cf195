// Processes waiting events, oldest first. One is claimed at a time and has a minute; what fails is
// retried with growing pauses and finally set aside, so that a bad event delays no other, with
// one more try at each reconciliation. A worker that dies leaves its event to be claimed again, and
// processing an event twice changes nothing.

import { parseId, type TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { eq, or, sql } from "drizzle-orm";
import { type Billing, requireStripe } from "./billing.ts";
import { followTopUp } from "./follow-top-up.ts";
import { findOrder } from "./read-order.ts";
import type { EventSubject, StripeApi } from "./stripe-api.ts";

const workersMax = 4;
const eventsMax = 500;
const claimSeconds = 60;
/** Before each further try; after the last the event is dead. */
const backoffSeconds = [1, 5, 30, 120, 600, 1_800, 3_600] as const;
const errorCharsMax = 500;

type Claimed = {
  readonly event_id: string;
  readonly type: string;
  readonly payload: EventSubject;
  readonly attempts: number;
};

export type Worked = { readonly done: number; readonly failed: number };

/** Processes what is due, at most 500; safe to run concurrently. */
export async function workInbox(db: Db, billing: Billing): Promise<Worked> {
  const stripe = requireStripe(billing);
  if (!(await isAnyDue(db))) return { done: 0, failed: 0 };
  let left = eventsMax;
  let done = 0;
  let failed = 0;
  const work = async () => {
    for (; left > 0; left -= 1) {
      const event = await claimEvent(db);
      if (event === undefined) return;
      if (await workEvent(db, billing, stripe, event)) done += 1;
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: workersMax }, work));
  return { done, failed };
}

async function isAnyDue(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ due: boolean }>(sql`
    select exists (select from stripe_inbox
      where done_at is null and dead_at is null and next_attempt_at <= now()) as due`);
  return row?.due ?? false;
}

async function claimEvent(db: Db): Promise<Claimed | undefined> {
  const [event] = await db.execute<Claimed>(sql`
    update stripe_inbox set attempts = attempts + 1,
           next_attempt_at = now() + make_interval(secs => ${claimSeconds})
     where event_id = (
       select event_id from stripe_inbox
        where done_at is null and dead_at is null and next_attempt_at <= now()
        order by created, event_id limit 1 for update skip locked)
    returning event_id, type, payload, attempts`);
  return event;
}

async function workEvent(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  event: Claimed,
): Promise<boolean> {
  try {
    await applyEvent(db, billing, stripe, event.payload);
    await db.execute(sql`
      update stripe_inbox set done_at = now(), last_error = null
       where event_id = ${event.event_id}`);
    return true;
  } catch (error) {
    await failEvent(db, billing, event, error);
    return false;
  }
}

async function failEvent(db: Db, billing: Billing, event: Claimed, error: unknown): Promise<void> {
  const backoff = backoffSeconds[event.attempts - 1];
  const lastError = String(error).slice(0, errorCharsMax);
  const facts = { err: error, eventId: event.event_id, type: event.type, tries: event.attempts };
  if (event.attempts === backoffSeconds.length + 1) {
    billing.meters.countDeadEvent();
    billing.log.error(facts, "a Stripe event was given up; an operator must review it");
  } else if (backoff === undefined)
    billing.log.warn(facts, "a Stripe event that was given up still fails");
  else billing.log.warn(facts, "a Stripe event failed and will be retried");
  await db.execute(sql`
    update stripe_inbox set last_error = ${lastError},
           next_attempt_at = now() + make_interval(secs => ${backoff ?? 0}),
           dead_at = ${backoff === undefined ? sql`now()` : sql`null`}
     where event_id = ${event.event_id} and done_at is null`);
}

/** An event of something that is not ours is done: other software may use the same Stripe account. */
async function applyEvent(
  db: Db,
  billing: Billing,
  stripe: StripeApi,
  subject: EventSubject,
): Promise<void> {
  const followed = await findFollowed(db, stripe, subject);
  if (followed !== undefined) await followTopUp(db, billing, stripe, followed);
}

async function findFollowed(db: Db, stripe: StripeApi, subject: EventSubject) {
  if ("sessionId" in subject) {
    const { sessionId } = subject;
    const order = await findOrder(db, eq(topUps.checkoutSessionId, sessionId));
    if (order !== undefined) return { topUpId: order.id };
    const session = await stripe.findSession(sessionId);
    if (session === undefined) throw new Error(`Stripe does not know session ${sessionId}`);
    return claimOf(sessionId, session.clientReferenceId);
  }
  const { paymentIntentId } = subject;
  const order = await findOrder(
    db,
    or(eq(topUps.paymentIntentId, paymentIntentId), eq(topUps.checkoutSessionId, paymentIntentId)),
  );
  if (order !== undefined) return { topUpId: order.id };
  const session = await stripe.findSessionOf(paymentIntentId);
  return session && claimOf(session.sessionId, session.clientReferenceId);
}

/** A session that says which order it pays for; whether it does is decided when it is read. */
export function claimOf(sessionId: string, reference: string | null) {
  const topUpId = reference === null ? undefined : parseId<TopUpId>(reference);
  return topUpId && { topUpId, sessionId };
}
