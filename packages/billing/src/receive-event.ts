// Takes in what Stripe sends: one signature checked, one row stored, nothing else. Of an event only
// what names the payment is kept; what happened is asked of Stripe when the event is worked.

import { type Db, stripeInbox } from "@turnpike/db";
import { type Billing, requireStripe } from "./billing.ts";
import type { StripeEvent } from "./stripe-api.ts";

/**
 * Resolves once the event is durable. Throws `malformed_request` for what Stripe did not sign for us
 * just now, `not_found` without Stripe; any other error means that Stripe should send it again.
 */
export async function receiveEvent(
  db: Db,
  billing: Billing,
  body: string,
  signature: string,
): Promise<void> {
  await storeEvent(db, await requireStripe(billing).verifyEvent(body, signature));
}

/** An event that is there already stays as it is. Returns whether it was new. */
export async function storeEvent(db: Db, event: StripeEvent): Promise<boolean> {
  const stored = await db
    .insert(stripeInbox)
    .values({
      eventId: event.id,
      type: event.type,
      created: event.created,
      payload: event.subject ?? {},
      ...(event.subject === undefined && { doneAt: new Date() }),
    })
    .onConflictDoNothing()
    .returning({ eventId: stripeInbox.eventId });
  return stored.length > 0;
}
