// Reverses what Stripe returned: refunds and disputes, netted cumulatively. What is posted is the
// difference between what should be reversed and what is, under the order's lock, so that a report
// received twice or out of order moves nothing. Together they never take more than was credited.

import { minNanos, type Nanos, toNanos } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { postMovement } from "@turnpike/ledger";
import { eq } from "drizzle-orm";
import type { Billing } from "./billing.ts";
import { pauseAutomatic } from "./pause-automatic.ts";
import type { Order } from "./read-order.ts";

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

/** The ledger freezes and unfreezes the account. */
export async function reverseTopUp(
  transaction: Db,
  billing: Billing,
  order: Reversed,
  reversal: Reversal,
): Promise<void> {
  const { refunded, disputed } = capReversal(order, reversal);
  const refundedBefore = order.reversedNanos - order.disputedNanos;
  const moved =
    (await post(transaction, billing, order, "refund", refunded - refundedBefore)) +
    (await post(transaction, billing, order, "dispute", disputed - order.disputedNanos));
  if (refunded === refundedBefore && disputed === order.disputedNanos) return;
  await transaction
    .update(topUps)
    .set({ reversedNanos: toNanos(refunded + disputed), disputedNanos: disputed })
    .where(eq(topUps.id, order.id));
  // What was returned is no reason to charge the card again; neither is what was reinstated one to resume.
  if (disputed > order.disputedNanos) {
    await pauseAutomatic(transaction, billing, order.accountId, "disputed");
  } else if (refunded > refundedBefore) {
    await pauseAutomatic(transaction, billing, order.accountId, "refunded");
  }
  billing.log.info({ topUpId: order.id, movedNanos: String(-moved) }, "top-up reversed");
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
): Promise<bigint> {
  if (takenNanos === 0n) return 0n;
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
  return takenNanos;
}
