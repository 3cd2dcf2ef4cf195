// What Stripe says was taken back of a payment: refunds, and what disputes withhold, with the time they leave for evidence.
import type Stripe from "stripe";

const pageSize = 100;

/** Of a payment that was made. Throws for another currency. */
export async function readCharges(stripe: Stripe, intentId: string) {
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

function firstDeadline(disputes: readonly Stripe.Dispute[]): Date | null {
  const due = disputes
    .filter(({ status }) => status === "needs_response" || status === "warning_needs_response")
    .flatMap(({ evidence_details: { due_by } }) => (due_by === null ? [] : [due_by]));
  return due.length === 0 ? null : new Date(Math.min(...due) * 1_000);
}

/** Its balance transactions may be in the currency Stripe pays out in: only their sign is certain then. */
function withheldCents(dispute: Stripe.Dispute): number {
  const taken = -dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
  if (taken <= 0) return 0;
  const isSameCurrency = dispute.balance_transactions.every(
    ({ currency }) => currency === dispute.currency,
  );
  return isSameCurrency ? Math.min(taken, dispute.amount) : dispute.amount;
}
