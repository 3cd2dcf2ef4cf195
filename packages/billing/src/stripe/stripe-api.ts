// What billing uses of Stripe, in its own types: plain facts, amounts in cents as Stripe counts
// them. Only stripe.ts calls Stripe; everything else sees these shapes.

import type { AccountId, TopUpId } from "@turnpike/base";

export type CheckoutOrder = {
  readonly topUpId: TopUpId;
  readonly accountId: AccountId;
  readonly customerId: string;
  readonly amountCents: number;
  readonly expiresAt: Date;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** In the place of one that Stripe did not know. */
  readonly isCustomerNew?: boolean;
  /** The card is saved, so that it can be charged while its owner is away. */
  readonly savesCard: boolean;
};

export type NewCustomer = {
  readonly accountId: AccountId;
  readonly email: string | undefined;
  /** The customer that Stripe no longer knows. */
  readonly missing: string | null;
};

/** A charge to a saved card, while its owner is away. */
export type CardCharge = {
  readonly topUpId: TopUpId;
  readonly accountId: AccountId;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amountCents: number;
};

export type SavedCard = {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
};

export type Refund = {
  readonly paymentIntentId: string;
  readonly amountCents: number;
  readonly idempotencyKey: string;
};

export type Checkout = { readonly sessionId: string; readonly url: string };

/** What a checkout, or a charge to a saved card in its place, says about itself. */
export type SessionFacts = {
  readonly sessionId: string;
  /** `open`, `complete` or `expired`. */
  readonly status: string;
  readonly paymentStatus: string;
  readonly amountCents: number | null;
  readonly currency: string | null;
  readonly livemode: boolean;
  readonly customerId: string | null;
  readonly clientReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** Everything Stripe reports about one checkout, read again. */
export type Payment = SessionFacts & {
  readonly intent: PaymentIntent | undefined;
  readonly receiptUrl: string | null;
  /** Cumulative; falls again when a refund fails. */
  readonly refundedCents: number;
  /** What disputes currently hold back: withdrawn and not reinstated. */
  readonly disputedCents: number;
  /** The first deadline of a dispute that waits for evidence; null without one. */
  readonly evidenceDueAt: Date | null;
};

type PaymentIntent = {
  readonly id: string;
  readonly status: string;
  /** Why the last try failed, in words meant for the payer. */
  readonly failure: string | null;
  readonly failureCode: string | null;
  /** What it was paid with, if that was a card. */
  readonly card: SavedCard | null;
};

/** Where to look when an event arrives; all that is kept of it. */
export type EventSubject = { readonly sessionId: string } | { readonly paymentIntentId: string };

export type StripeEvent = {
  readonly id: string;
  readonly type: string;
  readonly created: Date;
  /** Undefined for events that cannot concern a top-up. */
  readonly subject: EventSubject | undefined;
};

export type ListedSession = SessionFacts & { readonly intentId: string | null };

export type WebhookEndpoint = { readonly enabled: boolean; readonly events: readonly string[] };

export type StripeApi = {
  readonly livemode: boolean;
  /** Once per account and customer that it replaces. */
  createCustomer(customer: NewCustomer): Promise<string>;
  /** False if Stripe does not know the customer: it was deleted, or is of another mode. */
  setCustomerEmail(customerId: string, email: string): Promise<boolean>;
  /**
   * Once per top-up: repeated with the same order it returns the same session. Undefined if Stripe does not know the
   * customer.
   */
  createCheckout(order: CheckoutOrder): Promise<Checkout | undefined>;
  /** Throws if the session is no longer open. */
  expireCheckout(sessionId: string): Promise<void>;
  /** `sessionId` may be the payment intent of a charge to a saved card, here and below. */
  readPayment(sessionId: string): Promise<Payment>;
  /**
   * Returns the payment intent, whether it is paid or declined. Once per top-up, for a day: repeated it returns the
   * same one. Throws `conflict` with what Stripe says where it refuses.
   */
  chargeCard(charge: CardCharge): Promise<string>;
  /** The payment intent of a charge that was made before. */
  findCharge(charge: Pick<CardCharge, "topUpId" | "customerId">): Promise<string | undefined>;
  forgetCard(paymentMethodId: string): Promise<void>;
  /** Once per idempotency key, for a day. Throws `conflict` with what Stripe says where it refuses. */
  refund(refund: Refund): Promise<void>;
  /** Undefined if Stripe knows no such session. */
  findSession(sessionId: string): Promise<ListedSession | undefined>;
  findSessionOf(paymentIntentId: string): Promise<ListedSession | undefined>;
  /** Newest first, a page at a time. */
  listSessions(since: Date): AsyncIterable<readonly ListedSession[]>;
  /** Events of the kinds billing handles, whether delivered or not. */
  listEvents(since: Date): AsyncIterable<readonly StripeEvent[]>;
  /** The endpoint that Stripe sends events to; `unknown` where the key may not list them. Throws if it is refused. */
  findEndpoint(url: string): Promise<WebhookEndpoint | "unknown" | undefined>;
  /** Throws `malformed_request` for anything that this endpoint's secrets did not sign recently. */
  verifyEvent(body: Uint8Array, signature: string): Promise<StripeEvent>;
};

/** Kinds of events that can concern a top-up; all others are stored and ignored. */
export const eventTypes: readonly string[] = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.succeeded",
  "payment_intent.payment_failed",
  "charge.refunded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
  "charge.dispute.closed",
];
