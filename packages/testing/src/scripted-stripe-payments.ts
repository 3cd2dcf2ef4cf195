// What can happen to a payment at a scripted Stripe: each function changes the objects as Stripe would and
// records the events Stripe would send, with the object as it was at that time.

import { createCharges, receive, type SavedCards, saveCard } from "./scripted-stripe-cards.ts";
import {
  type Charge,
  type Dispute,
  type Emit,
  type Event,
  find,
  newStripeId,
  nowSeconds,
  type PaymentIntent,
  type Session,
  type StripeBooks,
  stripeVersion,
} from "./scripted-stripe-objects.ts";

export type StripePayments = SavedCards & {
  /** By card: paid immediately. Returns the payment intent. */
  pay(sessionId: string): string;
  /** By a bank: complete, but the money is on its way. Returns the payment intent. */
  payLater(sessionId: string): string;
  /** How a payment by bank ends. */
  settle(sessionId: string, outcome: "succeeded" | "failed"): void;
  expire(sessionId: string): void;
  /** Returns the refund. */
  refund(intentId: string, cents: number): string;
  /** The bank sent the refund back. */
  failRefund(refundId: string): void;
  /** No money moves yet. Returns the dispute. */
  dispute(intentId: string, cents: number): string;
  withdrawFunds(disputeId: string): void;
  reinstateFunds(disputeId: string): void;
  closeDispute(disputeId: string, outcome: "won" | "lost"): void;
  /** Changes a session without an event, for tests of inconsistencies. */
  mutate(sessionId: string, changes: Partial<Session>): void;
};

export function createPayments(
  books: StripeBooks,
  onEvent: (event: Event) => void,
): StripePayments {
  const emit: Emit = (type, object) => {
    const event: Event = {
      id: newStripeId("evt"),
      object: "event",
      type,
      api_version: stripeVersion,
      created: nowSeconds(),
      livemode: books.livemode,
      pending_webhooks: 1,
      data: { object: structuredClone(object) },
    };
    books.events.push(event);
    onEvent(event);
  };
  return {
    ...createCheckouts(books, emit),
    ...createCharges(books, emit),
    ...createRefunds(books, emit),
    ...createDisputes(books, emit),
    mutate: (sessionId, changes) => {
      Object.assign(find(books.sessions, sessionId), changes);
    },
  };
}

type Checkouts = Pick<StripePayments, "pay" | "payLater" | "settle" | "expire">;

function createCheckouts(books: StripeBooks, emit: Emit): Checkouts {
  const complete = (sessionId: string): [Session, PaymentIntent] => {
    const session = find(books.sessions, sessionId);
    if (session.status !== "open") throw new Error(`${sessionId} is ${session.status}`);
    const intent = newIntent(books, session);
    books.intents.set(intent.id, intent);
    session.status = "complete";
    session.payment_intent = intent.id;
    session.url = null;
    return [session, intent];
  };
  return {
    pay(sessionId) {
      const [session, intent] = complete(sessionId);
      session.payment_status = "paid";
      receive(books, intent, emit);
      emit("checkout.session.completed", session);
      return intent.id;
    },
    payLater(sessionId) {
      const [session, intent] = complete(sessionId);
      emit("checkout.session.completed", session);
      return intent.id;
    },
    settle(sessionId, outcome) {
      const session = find(books.sessions, sessionId);
      const intent = find(books.intents, session.payment_intent ?? "");
      if (outcome === "succeeded") {
        session.payment_status = "paid";
        receive(books, intent, emit);
        emit("checkout.session.async_payment_succeeded", session);
        return;
      }
      intent.status = "requires_payment_method";
      const message = "The bank refused the payment.";
      intent.last_payment_error = { type: "card_error", code: "payment_failed", message };
      emit("payment_intent.payment_failed", intent);
      emit("checkout.session.async_payment_failed", session);
    },
    expire(sessionId) {
      const session = find(books.sessions, sessionId);
      if (session.status !== "open") throw new Error(`${sessionId} is ${session.status}`);
      session.status = "expired";
      session.url = null;
      emit("checkout.session.expired", session);
    },
  };
}

function newIntent(books: StripeBooks, session: Session): PaymentIntent {
  return {
    id: newStripeId("pi"),
    object: "payment_intent",
    amount: session.amount_total,
    amount_received: 0,
    currency: session.currency,
    customer: session.customer,
    livemode: session.livemode,
    metadata: { ...session.metadata },
    status: "processing",
    payment_method: session.saves_card ? saveCard(books, session.customer) : null,
    latest_charge: null,
    last_payment_error: null,
    created: nowSeconds(),
  };
}

function chargeOf(books: StripeBooks, intentId: string): Charge {
  return find(books.charges, find(books.intents, intentId).latest_charge ?? "");
}

function createRefunds(
  books: StripeBooks,
  emit: Emit,
): Pick<StripePayments, "refund" | "failRefund"> {
  return {
    refund(intentId, cents) {
      const charge = chargeOf(books, intentId);
      if (charge.amount_refunded + cents > charge.amount) throw new Error("refunds too much");
      const refund = {
        id: newStripeId("re"),
        object: "refund" as const,
        amount: cents,
        charge: charge.id,
        currency: charge.currency,
        payment_intent: intentId,
        status: "succeeded" as const,
        created: nowSeconds(),
      };
      books.refunds.set(refund.id, refund);
      charge.amount_refunded += cents;
      charge.refunded = charge.amount_refunded === charge.amount;
      emit("refund.created", refund);
      emit("charge.refunded", charge);
      return refund.id;
    },
    failRefund(refundId) {
      const refund = find(books.refunds, refundId);
      if (refund.status === "failed") throw new Error(`${refundId} failed before`);
      refund.status = "failed";
      const charge = find(books.charges, refund.charge);
      charge.amount_refunded -= refund.amount;
      charge.refunded = false;
      emit("refund.updated", refund);
      emit("refund.failed", refund);
    },
  };
}

/** Nine days, as for most cards. */
const evidenceSeconds = 9 * 86_400;

type Disputes = Pick<
  StripePayments,
  "dispute" | "withdrawFunds" | "reinstateFunds" | "closeDispute"
>;

function createDisputes(books: StripeBooks, emit: Emit): Disputes {
  const move = (dispute: Dispute, cents: number) => {
    dispute.balance_transactions.push({
      id: newStripeId("txn"),
      object: "balance_transaction",
      amount: cents,
      currency: dispute.currency,
      fee: cents < 0 ? 1_500 : 0,
      net: cents < 0 ? cents - 1_500 : cents,
      type: "adjustment",
    });
  };
  return {
    dispute(intentId, cents) {
      const charge = chargeOf(books, intentId);
      const dispute: Dispute = {
        id: newStripeId("dp"),
        object: "dispute",
        amount: cents,
        balance_transactions: [],
        charge: charge.id,
        currency: charge.currency,
        livemode: charge.livemode,
        payment_intent: intentId,
        reason: "fraudulent",
        evidence_details: {
          due_by: nowSeconds() + evidenceSeconds,
          has_evidence: false,
          past_due: false,
          submission_count: 0,
        },
        status: "needs_response",
        created: nowSeconds(),
      };
      books.disputes.set(dispute.id, dispute);
      charge.disputed = true;
      emit("charge.dispute.created", dispute);
      return dispute.id;
    },
    withdrawFunds(disputeId) {
      const dispute = find(books.disputes, disputeId);
      move(dispute, -dispute.amount);
      emit("charge.dispute.funds_withdrawn", dispute);
    },
    reinstateFunds(disputeId) {
      const dispute = find(books.disputes, disputeId);
      move(dispute, dispute.amount);
      emit("charge.dispute.funds_reinstated", dispute);
    },
    closeDispute(disputeId, outcome) {
      const dispute = find(books.disputes, disputeId);
      dispute.status = outcome;
      emit("charge.dispute.closed", dispute);
    },
  };
}
