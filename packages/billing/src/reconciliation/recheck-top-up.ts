// An operator's recheck: asks Stripe about one top-up, or the latest of an account, and credits
// a quarantined payment if it matches now.

import type { AccountId, TopUpId } from "@turnpike/base";
import { Fault } from "@turnpike/base";
import { type AuditActor, type Db, operator, recordAudit, topUps } from "@turnpike/db";
import { formatUsd } from "@turnpike/terms";
import { and, desc, eq } from "drizzle-orm";
import { type Billing, requireStripe } from "../billing.ts";
import { findOrderById } from "../top-up/find-order.ts";
import { followTopUp } from "../top-up/follow-top-up.ts";
import { presentOrder, type TopUp } from "../top-up/query-top-up.ts";

const latestMax = 100;

export type RecheckedTopUp = TopUp & {
  /** For a payment that was set aside: the first fact that does not agree with the order. */
  readonly disagrees: string | null;
};

/** Throws `not_found`, and Stripe's error if it cannot be asked. */
export async function recheckTopUp(
  db: Db,
  billing: Billing,
  topUpId: TopUpId,
  by: AuditActor = operator,
): Promise<RecheckedTopUp> {
  await followTopUp(db, billing, requireStripe(billing), { topUpId, release: true });
  const order = await findOrderById(db, topUpId);
  if (order === undefined) throw new Fault("not_found", "There is no such top-up.");
  const object = { id: topUpId, name: formatUsd(order.amountNanos) };
  await db.transaction((tx) =>
    recordAudit(tx, { accountId: order.accountId, by, action: "top_up.recheck", object }),
  );
  const disagrees = order.state === "quarantined" ? order.failureReason : null;
  return { ...presentOrder(order), disagrees };
}

/** The latest hundred, newest first. */
export async function recheckTopUps(
  db: Db,
  billing: Billing,
  accountId: AccountId,
  by: AuditActor = operator,
): Promise<readonly RecheckedTopUp[]> {
  const rows = await db
    .select({ id: topUps.id })
    .from(topUps)
    .where(and(eq(topUps.accountId, accountId), eq(topUps.processor, "stripe")))
    .orderBy(desc(topUps.createdAt))
    .limit(latestMax);
  const checked: RecheckedTopUp[] = [];
  for (const { id } of rows) checked.push(await recheckTopUp(db, billing, id, by));
  return checked;
}
