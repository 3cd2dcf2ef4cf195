// Reverses what Stripe returned: refunds and disputes, netted cumulatively. What is posted is the
// difference between what should be reversed and what is, under the order's lock, so that a report
// received twice or out of order moves nothing. Together they never take more than was credited.

import { type Db, topUps } from "@turnpike/db";
import { postMovement } from "@turnpike/ledger";
import { minNanos, type Nanos, toNanos } from "@turnpike/terms";
import { eq } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import type { Order } from "../top-up/find-order.ts";

export type Reversal = {
  /** Total refunded so far. */
  readonly refundedNanos: Nanos;
  /** Currently held back by disputes. */
  readonly disputedNanos: Nanos;
};

type Reversed = Pick<
  Order,
  "id" | "accountId" | "version" | "creditedNanos" | "reversedNanos" | "disputedNanos"
>;

/** The ledger freezes and unfreezes the account. Returns what was taken; less than zero was reinstated. */
export async function reverseTopUp(
  transaction: Db,
  billing: Billing,
  order: Reversed,
  reversal: Reversal,
): Promise<{ readonly refundNanos: bigint; readonly disputeNanos: bigint }> {
  const { refunded, disputed } = capReversal(order, reversal);
  const refundNanos = refunded - (order.reversedNanos - order.disputedNanos);
  const disputeNanos = disputed - order.disputedNanos;
  await post(transaction, billing, order, "refund", refundNanos);
  await post(transaction, billing, order, "dispute", disputeNanos);
  if (refundNanos === 0n && disputeNanos === 0n) return { refundNanos, disputeNanos };
  await transaction
    .update(topUps)
    .set({ reversedNanos: toNanos(refunded + disputed), disputedNanos: disputed })
    .where(eq(topUps.id, order.id));
  const movedNanos = String(-(refundNanos + disputeNanos));
  billing.log.info({ topUpId: order.id, movedNanos }, "top-up reversed");
  return { refundNanos, disputeNanos };
}

/** Whether more is to be reversed of the order than is. */
export function takesMoney(order: Reversed, reversal: Reversal): boolean {
  const { refunded, disputed } = capReversal(order, reversal);
  return refunded + disputed > order.reversedNanos;
}

function capReversal({ creditedNanos }: Reversed, { refundedNanos, disputedNanos }: Reversal) {
  const refunded = minNanos(refundedNanos, creditedNanos);
  return { refunded, disputed: minNanos(disputedNanos, toNanos(creditedNanos - refunded)) };
}

/** `takenNanos` is what is taken now; a negative amount is returned. */
async function post(
  transaction: Db,
  { proveMovement }: Billing,
  order: Reversed,
  kind: "refund" | "dispute",
  takenNanos: bigint,
): Promise<void> {
  if (takenNanos === 0n) return;
  const movement = {
    accountId: order.accountId,
    amountNanos: toNanos(-takenNanos),
    kind,
    book: kind === "refund" ? "refunds" : "disputes",
    idempotencyKey: `${kind}:${order.id}:${order.version + 1}`,
    reason: `${takenNanos > 0n ? "Reversal" : "Reinstatement"} of top-up ${order.id}`,
    actor: "stripe",
  } as const;
  const posted = await postMovement(transaction, movement, proveMovement);
  if (!posted.posted) throw new Error(`version ${order.version + 1} of ${order.id} moved before`);
}
