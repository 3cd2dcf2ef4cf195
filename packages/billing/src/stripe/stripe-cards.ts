// Charges to saved cards at Stripe. Such a charge has no checkout: its payment intent stands for one, and its
// metadata, which only our own calls can set, names the top-up.

import { Fault, type TopUpId } from "@turnpike/base";
import type { CardCharge, Payment, SavedCard, SessionFacts } from "./stripe-api.ts";
import { isMissing } from "./stripe-customers.ts";
import { Stripe } from "./stripe-sdk.ts";

const pageSize = 100;
const mark = "automatic_top_up";

/** Whether what pays for an order is a payment intent, not a checkout session. */
export function isIntent(id: string): boolean {
  return id.startsWith("pi_");
}

/** Whether we made this payment intent without a checkout. */
export function isAutomatic(intent: object): boolean {
  const { metadata }: { metadata?: unknown } = intent;
  return typeof metadata === "object" && metadata !== null && mark in metadata;
}

export async function chargeCard(stripe: Stripe, charge: CardCharge): Promise<string> {
  const metadata = { top_up_id: charge.topUpId, account_id: charge.accountId, [mark]: "true" };
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: charge.amountCents,
        currency: "usd",
        customer: charge.customerId,
        payment_method: charge.paymentMethodId,
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
        off_session: true,
        confirm: true,
        description: "Prepaid credit",
        metadata,
      },
      { idempotencyKey: charge.topUpId },
    );
    return intent.id;
  } catch (cause) {
    const isRefused =
      cause instanceof Stripe.errors.StripeCardError ||
      cause instanceof Stripe.errors.StripeInvalidRequestError;
    if (!isRefused) throw cause;
    if (cause.payment_intent !== undefined) return cause.payment_intent.id;
    throw new Fault("conflict", cause.message, { cause });
  }
}

export async function findCharge(
  stripe: Stripe,
  { topUpId, customerId }: { readonly topUpId: TopUpId; readonly customerId: string },
): Promise<string | undefined> {
  const { data } = await listOfCustomer(stripe, customerId);
  return data.find((intent) => isAutomatic(intent) && intent.metadata.top_up_id === topUpId)?.id;
}

/** Nothing was charged for a customer that Stripe does not know. */
async function listOfCustomer(stripe: Stripe, customer: string) {
  try {
    return await stripe.paymentIntents.list({ customer, limit: pageSize });
  } catch (error) {
    if (isMissing(error)) return { data: [] };
    throw error;
  }
}

export async function detachCard(stripe: Stripe, paymentMethodId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(paymentMethodId);
  } catch (error) {
    // It is no longer saved.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** In the shape of a checkout: a charge that was made is complete, and either paid or not. */
export function factsOfIntent(intent: Stripe.PaymentIntent): SessionFacts {
  const { customer } = intent;
  return {
    sessionId: intent.id,
    status: "complete",
    paymentStatus: intent.status === "succeeded" ? "paid" : "unpaid",
    amountCents: intent.amount,
    currency: intent.currency,
    livemode: intent.livemode,
    customerId: typeof customer === "object" ? (customer?.id ?? null) : customer,
    clientReferenceId: intent.metadata.top_up_id ?? null,
    metadata: intent.metadata,
  };
}

export function presentIntent(intent: Stripe.PaymentIntent): Payment["intent"] {
  const error = intent.last_payment_error;
  return {
    id: intent.id,
    status: intent.status,
    failure: error?.message ?? null,
    failureCode: error?.code ?? null,
    card: cardOf(intent.payment_method),
  };
}

function cardOf(method: Stripe.PaymentIntent["payment_method"]): SavedCard | null {
  if (method === null || typeof method !== "object" || method.card === undefined) return null;
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card;
  return { paymentMethodId: method.id, brand, last4, expMonth, expYear };
}
