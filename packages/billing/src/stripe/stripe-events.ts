// Events of Stripe: who signed them, and the part of each that is kept, which names the payment.

import { Fault } from "@turnpike/base";
import {
  assertNotFuture,
  clockToleranceSeconds,
  decodeExactly,
  eventFault,
} from "./check-signed-body.ts";
import { type EventSubject, eventTypes, type StripeEvent } from "./stripe-api.ts";
import { isAutomatic } from "./stripe-cards.ts";
import { Stripe } from "./stripe-sdk.ts";

export async function verifySignature(
  stripe: Stripe,
  secrets: readonly string[],
  body: Uint8Array,
  signature: string,
): Promise<Stripe.Event> {
  const text = decodeExactly(body);
  for (const secret of secrets) {
    try {
      const { webhooks } = stripe;
      const event = await webhooks.constructEventAsync(
        text,
        signature,
        secret,
        clockToleranceSeconds,
      );
      assertNotFuture(signature);
      checkEventShape(event);
      return event;
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      if (thrown instanceof Fault) throw thrown;
      throw eventFault("This is not an event.", thrown);
    }
  }
  throw eventFault("The signature of this event is not valid.");
}

/** Signed, so from Stripe; but not everything signed is an event in the shape we can store. */
function checkEventShape(event: Partial<Stripe.Event> | null): void {
  const { id, type, created, data } = event ?? {};
  const isEvent = isName(id) && isName(type) && Number.isInteger(created);
  const isDated = typeof created === "number" && created >= 0 && created <= createdMax;
  if (isEvent && isDated && typeof data?.object === "object" && data.object !== null) return;
  throw eventFault("This is not an event.");
}

/** The year 2100. */
const createdMax = 4_102_444_800;

/** Ids and types of Stripe: short and printable, so that PostgreSQL can hold them. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,255}$/.test(value);
}

export function parseEvent(event: Stripe.Event): StripeEvent {
  const { id, type, created, data } = event;
  const subject = eventTypes.includes(type) ? subjectOf(data.object) : undefined;
  return { id, type, created: new Date(created * 1000), subject };
}

function subjectOf(object: Stripe.Event.Data.Object): EventSubject | undefined {
  const { object: kind, id, payment_intent: intent }: Record<string, unknown> = { ...object };
  if (kind === "checkout.session") return isName(id) ? { sessionId: id } : undefined;
  if (kind === "payment_intent") {
    // One that a checkout made is reported by the checkout.
    return isName(id) && isAutomatic(object) ? { paymentIntentId: id } : undefined;
  }
  const intentId = typeof intent === "object" && intent && "id" in intent ? intent.id : intent;
  return isName(intentId) ? { paymentIntentId: intentId } : undefined;
}
