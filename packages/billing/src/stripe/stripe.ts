// Calls Stripe for everything else in this package: what billing needs from it, in billing's own terms. Answers are read
// into plain facts here; amounts are cents as Stripe counts them, and nothing is decided.
import { Fault } from "@turnpike/base";
import { firstDeadline, withheldCents } from "../refund/read-disputes.ts";
import { eventFault } from "./check-signed-body.ts";
import { pagesOf } from "./pages-of.ts";
import {
  type Checkout,
  type CheckoutOrder,
  eventTypes,
  type ListedSession,
  type Payment,
  type Refund,
  type SessionFacts,
  type StripeApi,
} from "./stripe-api.ts";
import {
  chargeCard,
  detachCard,
  factsOfIntent,
  findCharge,
  isAutomatic,
  isIntent,
  presentIntent,
} from "./stripe-cards.ts";
import { createCustomers, isMissing } from "./stripe-customers.ts";
import { parseEvent, verifySignature } from "./stripe-events.ts";
import { Stripe } from "./stripe-sdk.ts";

const apiVersion = "2026-10-28.endive";
const requestTimeoutMs = 10_000;
const networkRetries = 2;
const pageSize = 100;

export type StripeOptions = {
  readonly secretKey: string;
  /** The current secret of the webhook endpoint, and while it is rolled the previous one. */
  readonly webhookSecrets: readonly string[];
  /** Tests only: a scripted Stripe. */
  readonly apiBase?: string;
};

export function createStripe(options: StripeOptions): StripeApi {
  if (options.webhookSecrets.length === 0) throw new Error("Stripe needs a webhook secret");
  const stripe = new Stripe(options.secretKey, {
    apiVersion,
    timeout: requestTimeoutMs,
    maxNetworkRetries: networkRetries,
    telemetry: false,
    ...(options.apiBase !== undefined && parseAddress(options.apiBase)),
  });
  const livemode = /^[a-z]+_live_/.test(options.secretKey);
  const { sessions } = stripe.checkout;
  return {
    livemode,
    ...createCustomers(stripe),
    async createCheckout(order) {
      try {
        return await createCheckout(stripe, order);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async expireCheckout(sessionId) {
      await sessions.expire(sessionId);
    },
    readPayment: (sessionId) => readPayment(stripe, sessionId),
    chargeCard: (charge) => chargeCard(stripe, charge),
    findCharge: (charge) => findCharge(stripe, charge),
    async forgetCard(paymentMethodId) {
      await detachCard(stripe, paymentMethodId);
    },
    refund: (wanted) => refund(stripe, wanted),
    async findSession(sessionId) {
      try {
        if (isIntent(sessionId))
          return listedIntent(await stripe.paymentIntents.retrieve(sessionId));
        return listedSession(await sessions.retrieve(sessionId));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async findSessionOf(paymentIntentId) {
      const { data } = await sessions.list({ payment_intent: paymentIntentId, limit: 1 });
      if (data[0] !== undefined) return listedSession(data[0]);
      const intent = await stripe.paymentIntents.retrieve(paymentIntentId);
      return isAutomatic(intent) ? listedIntent(intent) : undefined;
    },
    async *listSessions(since) {
      const created = { gte: secondsOf(since) };
      const pages = pagesOf((page) => sessions.list({ created, limit: pageSize, ...page }));
      for await (const page of pages) yield page.map(listedSession);
      const intents = pagesOf((page) =>
        stripe.paymentIntents.list({ created, limit: pageSize, ...page }),
      );
      for await (const page of intents) yield page.filter(isAutomatic).map(listedIntent);
    },
    async *listEvents(since) {
      const created = { gte: secondsOf(since) };
      const types = [...eventTypes];
      const pages = pagesOf((page) =>
        stripe.events.list({ created, types, limit: pageSize, ...page }),
      );
      for await (const page of pages) {
        yield page.map(parseEvent).filter(({ subject }) => subject !== undefined);
      }
    },
    findEndpoint: (url) => findEndpoint(stripe, url),
    async verifyEvent(body, signature) {
      const event = await verifySignature(stripe, options.webhookSecrets, body, signature);
      if (event.livemode !== livemode) throw eventFault("This event is from the other mode.");
      if (event.account !== undefined) throw eventFault("This event is from another account.");
      return parseEvent(event);
    },
  };
}

async function findEndpoint(stripe: Stripe, url: string) {
  try {
    const pages = pagesOf((page) => stripe.webhookEndpoints.list({ limit: pageSize, ...page }));
    for await (const page of pages) {
      const found = page.find((endpoint) => endpoint.url === url);
      if (found !== undefined) {
        return { enabled: found.status === "enabled", events: found.enabled_events };
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return "unknown" as const;
    throw error;
  }
}

async function createCheckout(stripe: Stripe, order: CheckoutOrder): Promise<Checkout> {
  const metadata = { top_up_id: order.topUpId, account_id: order.accountId };
  const session = await stripe.checkout.sessions.create(
    {
      mode: "payment",
      customer: order.customerId,
      client_reference_id: order.topUpId,
      metadata,
      payment_intent_data: {
        metadata,
        ...(order.savesCard && { setup_future_usage: "off_session" }),
      },
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: "usd",
            unit_amount: order.amountCents,
            product_data: { name: "Prepaid credit" },
          },
        },
      ],
      // A price shown in another currency would no longer be the amount that is credited.
      adaptive_pricing: { enabled: false },
      expires_at: secondsOf(order.expiresAt),
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
    },
    {
      idempotencyKey: order.isCustomerNew ? `${order.topUpId}:${order.customerId}` : order.topUpId,
    },
  );
  if (session.url === null) throw new Error(`session ${session.id} has no URL`);
  return { sessionId: session.id, url: session.url };
}

async function refund(stripe: Stripe, wanted: Refund): Promise<void> {
  const { paymentIntentId: payment_intent, amountCents: amount, idempotencyKey } = wanted;
  try {
    await stripe.refunds.create({ payment_intent, amount }, { idempotencyKey });
  } catch (cause) {
    const { StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;
    const isRefused =
      cause instanceof StripeInvalidRequestError || cause instanceof StripeIdempotencyError;
    if (!isRefused) throw cause;
    throw new Fault("conflict", `Stripe refuses the refund: ${cause.message}`, { cause });
  }
}

async function readPayment(stripe: Stripe, sessionId: string): Promise<Payment> {
  const [facts, intent] = await readFacts(stripe, sessionId);
  const isPaid = facts.paymentStatus === "paid" && intent !== null;
  return {
    ...facts,
    intent: intent ? presentIntent(intent) : undefined,
    ...(isPaid
      ? await readCharges(stripe, intent.id)
      : { receiptUrl: null, refundedCents: 0, disputedCents: 0, evidenceDueAt: null }),
  };
}

async function readFacts(
  stripe: Stripe,
  id: string,
): Promise<[SessionFacts, Stripe.PaymentIntent | null]> {
  if (isIntent(id)) {
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ["payment_method"] });
    return [factsOfIntent(intent), intent];
  }
  const session = await stripe.checkout.sessions.retrieve(id, {
    expand: ["payment_intent", "payment_intent.payment_method"],
  });
  const intent = typeof session.payment_intent === "string" ? null : session.payment_intent;
  return [factsOf(session), intent];
}

async function readCharges(stripe: Stripe, intentId: string) {
  const [charges, disputes] = await Promise.all([
    stripe.charges.list({ payment_intent: intentId, limit: pageSize }),
    stripe.disputes.list({ payment_intent: intentId, limit: pageSize }),
  ]);
  const paid = charges.data.filter((charge) => charge.paid);
  const foreign = [...paid, ...disputes.data].find(({ currency }) => currency !== "usd");
  if (foreign !== undefined) throw new Error(`${foreign.id} is not in USD`);
  return {
    receiptUrl: paid[0]?.receipt_url ?? null,
    refundedCents: paid.reduce((sum, charge) => sum + charge.amount_refunded, 0),
    disputedCents: disputes.data.reduce((sum, dispute) => sum + withheldCents(dispute), 0),
    evidenceDueAt: firstDeadline(disputes.data),
  };
}

function listedSession(session: Stripe.Checkout.Session): ListedSession {
  return { ...factsOf(session), intentId: idOf(session.payment_intent) };
}

function listedIntent(intent: Stripe.PaymentIntent): ListedSession {
  return { ...factsOfIntent(intent), intentId: intent.id };
}

function factsOf(session: Stripe.Checkout.Session): SessionFacts {
  return {
    sessionId: session.id,
    status: session.status ?? "open",
    paymentStatus: session.payment_status,
    amountCents: session.amount_total,
    currency: session.currency,
    livemode: session.livemode,
    customerId: idOf(session.customer),
    clientReferenceId: session.client_reference_id,
    metadata: session.metadata ?? {},
  };
}

function idOf(reference: string | { readonly id: string } | null): string | null {
  return typeof reference === "object" ? (reference?.id ?? null) : reference;
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** Whether the same call may succeed later: Stripe is unreachable or busy, rather than refusing it. */
export function isStripeAway(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAPIError
  );
}

/** Where Stripe is, for tests that have a scripted one. */
function parseAddress(apiBase: string) {
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === "http:";
  return {
    protocol: isPlain ? ("http" as const) : ("https" as const),
    host: hostname,
    port: port === "" ? (isPlain ? 80 : 443) : Number(port),
  };
}
