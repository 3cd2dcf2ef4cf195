// The objects of a scripted Stripe, in the shapes of API version 2026-10-28.endive as far as a payment
// by Checkout needs them.

export const stripeVersion = "2026-10-28.endive";

export type Metadata = Record<string, string>;

export type Session = {
  id: string;
  object: "checkout.session";
  mode: string;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid" | "no_payment_required";
  amount_total: number;
  currency: string;
  livemode: boolean;
  customer: string | null;
  client_reference_id: string | null;
  metadata: Metadata;
  payment_intent: string | null;
  /** Of the payment it will make; Stripe shows this in the payment intent only. */
  saves_card: boolean;
  success_url: string;
  cancel_url: string | null;
  url: string | null;
  created: number;
  expires_at: number;
};

export type PaymentIntent = {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  livemode: boolean;
  metadata: Metadata;
  status: "processing" | "succeeded" | "requires_payment_method" | "canceled";
  payment_method: string | null;
  latest_charge: string | null;
  last_payment_error: { type: string; code: string; message: string } | null;
  created: number;
};

export type PaymentMethod = {
  id: string;
  object: "payment_method";
  type: "card";
  customer: string | null;
  card: { brand: string; last4: string; exp_month: number; exp_year: number };
  created: number;
};

export type Charge = {
  id: string;
  object: "charge";
  amount: number;
  amount_refunded: number;
  currency: string;
  customer: string | null;
  disputed: boolean;
  livemode: boolean;
  paid: boolean;
  payment_intent: string;
  receipt_url: string | null;
  refunded: boolean;
  status: "succeeded" | "failed";
  created: number;
};

export type Refund = {
  id: string;
  object: "refund";
  amount: number;
  charge: string;
  currency: string;
  payment_intent: string;
  status: "succeeded" | "failed";
  created: number;
};

export type BalanceTransaction = {
  id: string;
  object: "balance_transaction";
  amount: number;
  currency: string;
  fee: number;
  net: number;
  type: "adjustment";
};

export type Dispute = {
  id: string;
  object: "dispute";
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  currency: string;
  livemode: boolean;
  payment_intent: string;
  reason: string;
  evidence_details: {
    due_by: number | null;
    has_evidence: boolean;
    past_due: boolean;
    submission_count: number;
  };
  status: "needs_response" | "under_review" | "won" | "lost" | "warning_needs_response";
  created: number;
};

export type Customer = {
  id: string;
  object: "customer";
  email: string | null;
  livemode: boolean;
  metadata: Metadata;
  created: number;
};

/** Where Stripe sends events. */
export type Endpoint = {
  id: string;
  object: "webhook_endpoint";
  url: string;
  status: "enabled" | "disabled";
  enabled_events: string[];
  created: number;
};

export type StripeObject = Session | PaymentIntent | Charge | Refund | Dispute | Customer;

export type Emit = (type: string, object: StripeObject) => void;

export type Event = {
  id: string;
  object: "event";
  type: string;
  api_version: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  data: { object: StripeObject };
  account?: string;
};

/** Everything a scripted Stripe remembers, oldest first. */
export type StripeBooks = {
  livemode: boolean;
  sessions: Map<string, Session>;
  intents: Map<string, PaymentIntent>;
  paymentMethods: Map<string, PaymentMethod>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  customers: Map<string, Customer>;
  events: Event[];
  endpoints: Endpoint[];
};

export function createBooks(livemode: boolean): StripeBooks {
  return {
    livemode,
    sessions: new Map(),
    intents: new Map(),
    paymentMethods: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    customers: new Map(),
    events: [],
    endpoints: [],
  };
}

export function newStripeId(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** A value that must exist: otherwise the script of a test is wrong. */
export function find<Value>(map: ReadonlyMap<string, Value>, id: string): Value {
  const value = map.get(id);
  if (value === undefined) throw new Error(`the scripted Stripe has no ${id}`);
  return value;
}
