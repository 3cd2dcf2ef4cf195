// Processes waiting events, oldest first. An event that cannot be processed is tried again; a worker that dies leaves its
// event to be claimed again, and processing an event twice changes nothing.

import { parseId, type TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { attemptItem, openWorker, type Worker } from "@turnpike/queue";
import { eq, or } from "drizzle-orm";
import { type Billing, requireStripe } from "../billing.ts";
import type { EventSubject, StripeApi } from "../stripe/stripe-api.ts";
import { findOrder } from "../top-up/find-order.ts";
import { followTopUp } from "../top-up/follow-top-up.ts";
import { type ClaimedEvent, stripeQueue } from "./inbox-queue.ts";

const atOnce = 4;

/** Throws `not_found` without Stripe. */
export function openInboxWorker(
  db: Db,
  billing: Billing,
  count: (isDone: boolean) => void = () => undefined,
): Worker {
  const stripe = requireStripe(billing);
  const { log } = billing;
  return openWorker(db, stripeQueue, {
    atOnce,
    log,
    async perform(event) {
      const { eventId, type, attempts } = event;
      const apply = () => applyEvent(db, billing, stripe, event.payload);
      const { ending, error } = await attemptItem(db, stripeQueue, event, apply);
      if (ending === "done") log.info({ eventId, type, attempts }, "Stripe event processed");
      else reportFailure(billing, event, ending, error);
      count(ending === "done");
    },
  });
}

function reportFailure(
  { log, meters }: Billing,
  { eventId, type, attempts }: ClaimedEvent,
  ending: string,
  error: unknown,
): void {
  const facts = { err: error, eventId, type, tries: attempts };
  if (ending !== "given_up") log.warn(facts, "a Stripe event failed and will be retried");
  else if (attempts > stripeQueue.retryAfterSeconds.length + 1) {
    log.warn(facts, "a Stripe event that was given up still fails");
  } else {
    meters.countDeadEvent();
    log.error(facts, "a Stripe event was given up; an operator must review it");
  }
}

export type Worked = { readonly done: number; readonly failed: number };

/** What waits behind it must have its turn, however many events arrive. */
const eventsMax = 500;

/** Processes what is due, and claims nothing more after `most` events; safe to run concurrently. */
export async function workInbox(db: Db, billing: Billing, most = eventsMax): Promise<Worked> {
  const worked = { done: 0, failed: 0 };
  const worker = openInboxWorker(db, billing, (isDone) => {
    worked[isDone ? "done" : "failed"] += 1;
    if (worked.done + worked.failed >= most) void worker.close();
  });
  try {
    await worker.idle();
  } finally {
    await worker.close();
  }
  return worked;
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
