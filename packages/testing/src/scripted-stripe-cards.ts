// Saved cards of a scripted Stripe, and what is charged to them while their owner is away.

import {
  type Charge,
  type Emit,
  newStripeId,
  nowSeconds,
  type PaymentIntent,
  type StripeBooks,
} from "./scripted-stripe-objects.ts";

export type ChargeOutcome =
  | "succeeded"
  | "card_declined"
  | "authentication_required"
  | "expired_card";

type WantedCharge = Pick<PaymentIntent, "amount" | "currency" | "customer" | "metadata"> & {
  readonly paymentMethodId: string;
};

export type SavedCards = {
  /** How later charges to saved cards end. Default: succeeded. */
  answerCharges(outcome: ChargeOutcome): void;
  /** A charge to a saved card. Returns the payment intent, whether paid or not. */
  charge(wanted: WantedCharge): PaymentIntent;
};

/** What Stripe says of a card that is not charged. */
const refusals = {
  card_declined: "Your card was declined.",
  authentication_required: "Your card was declined. This transaction requires authentication.",
  expired_card: "Your card has expired.",
} as const;

export function createCharges(books: StripeBooks, emit: Emit): SavedCards {
  let outcome: ChargeOutcome = "succeeded";
  return {
    answerCharges(next) {
      outcome = next;
    },
    charge({ paymentMethodId, ...facts }) {
      const intent: PaymentIntent = {
        ...facts,
        id: newStripeId("pi"),
        object: "payment_intent",
        amount_received: 0,
        livemode: books.livemode,
        status: "processing",
        payment_method: paymentMethodId,
        latest_charge: null,
        last_payment_error: null,
        created: nowSeconds(),
      };
      books.intents.set(intent.id, intent);
      if (outcome === "succeeded") {
        receive(books, intent, emit);
        return intent;
      }
      intent.status = "requires_payment_method";
      intent.payment_method = null;
      intent.last_payment_error = {
        type: "card_error",
        code: outcome,
        message: refusals[outcome],
      };
      emit("payment_intent.payment_failed", intent);
      return intent;
    },
  };
}

export function saveCard(books: StripeBooks, customer: string | null): string {
  const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2099 };
  const id = newStripeId("pm");
  books.paymentMethods.set(id, {
    id,
    object: "payment_method",
    type: "card",
    customer,
    card,
    created: nowSeconds(),
  });
  return id;
}

export function receive(books: StripeBooks, intent: PaymentIntent, emit: Emit): void {
  const charge: Charge = {
    id: newStripeId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    livemode: intent.livemode,
    paid: true,
    payment_intent: intent.id,
    receipt_url: `https://pay.stripe.com/receipts/${intent.id}`,
    refunded: false,
    status: "succeeded",
    created: nowSeconds(),
  };
  books.charges.set(charge.id, charge);
  intent.status = "succeeded";
  intent.amount_received = intent.amount;
  intent.latest_charge = charge.id;
  emit("charge.succeeded", charge);
  emit("payment_intent.succeeded", intent);
}
