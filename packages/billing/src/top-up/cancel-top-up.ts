// Ends a top-up whose payer came back without paying. The checkout is closed at Stripe too; money
// that has arrived after all is still credited.

import type { AccountId, TopUpId } from "@turnpike/base";
import { type AuditActor, type Db, operator, recordAudit, topUps } from "@turnpike/db";
import { formatUsd } from "@turnpike/terms";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import { requireOrder } from "./find-order.ts";

/** Throws `not_found`, also for another account's top-up. Changes nothing if the top-up is over, or automatic. */
export async function cancelTopUp(
  db: Db,
  billing: Billing,
  accountId: AccountId,
  topUpId: TopUpId,
  by: AuditActor = operator,
): Promise<void> {
  const order = await requireOrder(db, accountId, topUpId);
  const canceled = await db.transaction(async (tx) => {
    const [ended] = await tx
      .update(topUps)
      .set({ state: "canceled", updatedAt: sql`now()` })
      .where(
        and(
          eq(topUps.id, topUpId),
          inArray(topUps.state, ["created", "pending"]),
          isNull(topUps.paymentMethodId),
        ),
      )
      .returning({ sessionId: topUps.checkoutSessionId });
    if (ended === undefined) return undefined;
    const object = { id: topUpId, name: `$${formatUsd(order.amountNanos)}` };
    await recordAudit(tx, { accountId, by, action: "top_up.cancel", object });
    return ended;
  });
  if (typeof canceled?.sessionId !== "string") return;
  try {
    await billing.stripe?.expireCheckout(canceled.sessionId);
  } catch (error) {
    // Just paid, or Stripe is unreachable: the session then ends on its own, and its event reports how.
    billing.log.info({ err: error, topUpId }, "a canceled checkout could not be closed");
  }
}
