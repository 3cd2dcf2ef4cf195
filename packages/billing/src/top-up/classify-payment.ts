// Decides what the state of a checkout at Stripe means for our order. Money is credited only if every
// fact matches the order; the amount is always our own.

import type { Payment, SessionFacts } from "../stripe/stripe-api.ts";
import type { Order } from "./find-order.ts";
import { toCents } from "./top-up-amount.ts";

export type PaymentClass =
  | { readonly kind: "paid"; readonly paymentIntentId: string }
  | {
      readonly kind: "waiting";
      readonly state: "pending" | "processing";
      /** Why the last try failed: the payer may try another card. */
      readonly reason?: string;
    }
  | { readonly kind: "over"; readonly state: "failed" | "expired"; readonly reason: string | null }
  /** `fact` is the first that does not match. */
  | { readonly kind: "mismatch"; readonly fact: string };

export type PayableOrder = Pick<
  Order,
  "id" | "accountId" | "amountNanos" | "livemode" | "checkoutSessionId"
>;

const reasonCharsMax = 200;
/** The payment itself has ended unpaid. */
const failedIntents: readonly string[] = ["requires_payment_method", "canceled"];
/** Nobody is there to act. */
const failedCharges: readonly string[] = [...failedIntents, "requires_action"];

export function classifyPayment(
  order: Order,
  customerId: string | null,
  payment: Payment,
): PaymentClass {
  const fact = findMismatch(order, customerId, payment);
  if (fact !== undefined) return { kind: "mismatch", fact };
  const { intent } = payment;
  const reason = findReason(intent);
  if (payment.status === "expired") return { kind: "over", state: "expired", reason };
  if (payment.status !== "complete") {
    return { kind: "waiting", state: "pending", ...(reason !== null && { reason }) };
  }
  if (payment.paymentStatus === "paid") {
    if (intent === undefined) return { kind: "mismatch", fact: "payment_intent" };
    return { kind: "paid", paymentIntentId: intent.id };
  }
  if (payment.paymentStatus !== "unpaid") return { kind: "mismatch", fact: "payment_status" };
  const failed = order.paymentMethodId === null ? failedIntents : failedCharges;
  if (intent === undefined || !failed.includes(intent.status)) {
    return { kind: "waiting", state: "processing" };
  }
  return { kind: "over", state: "failed", reason };
}

/** Stripe's words for a try that failed and was not followed by one that did not. */
function findReason(intent: Payment["intent"]): string | null {
  if (intent === undefined || !failedCharges.includes(intent.status)) return null;
  return intent.failure?.slice(0, reasonCharsMax) ?? null;
}

/** The first fact of a checkout that is not that of its order. */
export function findMismatch(
  order: PayableOrder,
  customerId: string | null,
  payment: SessionFacts,
): string | undefined {
  const facts: Readonly<Record<string, boolean>> = {
    session: payment.sessionId === order.checkoutSessionId,
    livemode: payment.livemode === order.livemode,
    client_reference_id: payment.clientReferenceId === order.id,
    "metadata.top_up_id": payment.metadata.top_up_id === order.id,
    "metadata.account_id": payment.metadata.account_id === order.accountId,
    customer: customerId !== null && payment.customerId === customerId,
    currency: payment.currency === "usd",
    amount_total: payment.amountCents === toCents(order.amountNanos),
  };
  return Object.entries(facts).find(([, agrees]) => !agrees)?.[0];
}
