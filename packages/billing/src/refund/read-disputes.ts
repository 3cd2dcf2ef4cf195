// What disputes withhold of a payment, and how much time they leave for evidence.

/** What is used of Stripe's object. */
type Dispute = {
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly balance_transactions: readonly { readonly amount: number; readonly currency: string }[];
  /** In seconds since the epoch. */
  readonly evidence_details: { readonly due_by: number | null };
};

export function firstDeadline(disputes: readonly Dispute[]): Date | null {
  const due = disputes
    .filter(({ status }) => status === "needs_response" || status === "warning_needs_response")
    .flatMap(({ evidence_details: { due_by } }) => (due_by === null ? [] : [due_by]));
  return due.length === 0 ? null : new Date(Math.min(...due) * 1_000);
}

/** Its balance transactions may be in the currency Stripe pays out in: only their sign is certain then. */
export function withheldCents(dispute: Dispute): number {
  const taken = -dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
  if (taken <= 0) return 0;
  const isSameCurrency = dispute.balance_transactions.every(
    ({ currency }) => currency === dispute.currency,
  );
  return isSameCurrency ? Math.min(taken, dispute.amount) : dispute.amount;
}
