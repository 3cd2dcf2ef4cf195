// Receives what Stripe sends: one signature checked, one row stored, nothing else. Only the part of an
// event that names the payment is kept; its state is read from Stripe when the event is processed.

import { type Db, stripeInbox } from "@turnpike/db";
import { type Billing, requireStripe } from "./billing.ts";
import type { StripeEvent } from "./stripe-api.ts";

/**
 * Resolves once the event is durable; `body` is the request body, byte for byte. Throws
 * `malformed_request` for what Stripe did not sign for us recently, `not_found` without Stripe; any other
 * error means that Stripe should send it again.
 */
export async function receiveEvent(
  db: Db,
  billing: Billing,
  body: Uint8Array,
  signature: string,
): Promise<void> {
  const event = await requireStripe(billing).verifyEvent(body, signature);
  await storeEvents(db, [event]);
}

/** Events that are already stored stay unchanged. Returns how many were new. */
export async function storeEvents(db: Db, events: readonly StripeEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event) => ({
    eventId: event.id,
    type: event.type,
    created: event.created,
    payload: event.subject ?? {},
    doneAt: event.subject === undefined ? new Date() : null,
  }));
  const stored = await db
    .insert(stripeInbox)
    .values(rows)
    .onConflictDoNothing()
    .returning({ eventId: stripeInbox.eventId });
  return stored.length;
}
