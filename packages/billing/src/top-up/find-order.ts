// Reads top-ups as billing works with them, columns named once. A row read `for update` does not
// change until the transaction ends.

import { type AccountId, Fault, type TopUpId } from "@turnpike/base";
import { type Db, topUps } from "@turnpike/db";
import { and, eq, type SQL } from "drizzle-orm";

const columns = {
  id: topUps.id,
  accountId: topUps.accountId,
  personId: topUps.personId,
  amountNanos: topUps.amountNanos,
  state: topUps.state,
  processor: topUps.processor,
  livemode: topUps.livemode,
  checkoutSessionId: topUps.checkoutSessionId,
  checkoutUrl: topUps.checkoutUrl,
  savesCard: topUps.savesCard,
  paymentMethodId: topUps.paymentMethodId,
  paymentIntentId: topUps.paymentIntentId,
  receiptUrl: topUps.receiptUrl,
  failureReason: topUps.failureReason,
  creditedNanos: topUps.creditedNanos,
  reversedNanos: topUps.reversedNanos,
  disputedNanos: topUps.disputedNanos,
  refundClaimedNanos: topUps.refundClaimedNanos,
  evidenceDueAt: topUps.evidenceDueAt,
  version: topUps.version,
  createdAt: topUps.createdAt,
  expiresAt: topUps.expiresAt,
};

/** One row of `top_ups`. */
export type Order = NonNullable<Awaited<ReturnType<typeof findOrder>>>;

export async function findOrder(db: Db, where: SQL | undefined) {
  const [row] = await db.select(columns).from(topUps).where(where).limit(1);
  return row;
}

export function findOrderById(db: Db, id: TopUpId): Promise<Order | undefined> {
  return findOrder(db, eq(topUps.id, id));
}

/** Locks the row until the transaction ends. Throws if it does not exist. */
export async function lockOrder(transaction: Db, id: TopUpId): Promise<Order> {
  const [row] = await transaction
    .select(columns)
    .from(topUps)
    .where(eq(topUps.id, id))
    .for("update");
  if (row === undefined) throw new Error(`there is no top-up ${id}`);
  return row;
}

/** Throws `not_found`, also for another account's top-up. */
export async function requireOrder(db: Db, accountId: AccountId, id: TopUpId): Promise<Order> {
  const order = await findOrder(db, and(eq(topUps.id, id), eq(topUps.accountId, accountId)));
  if (order !== undefined) return order;
  throw new Fault("not_found", "There is no such top-up.");
}
