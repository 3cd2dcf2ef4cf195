// Ends a top-up whose payment was declined, and tells the account's endpoints once. Anyone who calls it holds the
// order's lock.

import { type Db, queueWebhook, topUps } from "@turnpike/db";
import { formatUsd } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import type { Order } from "./find-order.ts";

export async function failTopUp(
  transaction: Db,
  order: Order,
  reason: string | null,
): Promise<void> {
  await transaction
    .update(topUps)
    .set({ state: "failed", failureReason: reason, updatedAt: sql`now()` })
    .where(eq(topUps.id, order.id));
  if (order.state === "failed") return;
  await queueWebhook(transaction, order.accountId, {
    type: "top_up.failed",
    data: { top_up: { id: order.id, amount_usd: formatUsd(order.amountNanos) }, reason },
  });
}
