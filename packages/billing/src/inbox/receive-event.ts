// Receives what Stripe sends: one signature checked, one row stored, nothing else. Only the part of an
// event that names the payment is kept; its state is read from Stripe when the event is processed.

import type { Db } from "@turnpike/db";
import { type Billing, requireStripe } from "../billing.ts";
import { storeEvents } from "./inbox-queue.ts";

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
