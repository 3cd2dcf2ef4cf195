// The one way a top-up becomes money: ledger, order and receipt in one transaction, under the order's
// lock, keyed by the payment. A payment that was credited before is never credited again.

import { queryAccountPath } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, queueWebhook, topUps } from "@turnpike/db";
import { type Posted, postMovement } from "@turnpike/ledger";
import { queueMail } from "@turnpike/mail";
import { formatUsd } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import { queryMoneyEmails } from "../alerts/query-money-emails.ts";
import type { Billing } from "../billing.ts";
import { queryEmail } from "../stripe/ensure-customer.ts";
import type { Order } from "./find-order.ts";

export type Credit = {
  /** Identifies the payment, however it was reported. */
  readonly idempotencyKey: string;
  readonly paymentIntentId: string | null;
  readonly receiptUrl: string | null;
};

/** False if the payment was credited before, for another order; nothing changed then. */
export async function creditTopUp(
  transaction: Db,
  billing: Billing,
  order: Order,
  credit: Credit,
): Promise<boolean> {
  if (order.creditedNanos > 0n) throw new Error(`top-up ${order.id} has already been credited`);
  const posted = await post(transaction, billing, order, credit);
  if (posted?.posted !== true) return false;
  await transaction
    .update(topUps)
    .set({
      state: "paid",
      paymentIntentId: credit.paymentIntentId,
      receiptUrl: credit.receiptUrl,
      failureReason: null,
      creditedNanos: order.amountNanos,
      paidAt: sql`now()`,
    })
    .where(eq(topUps.id, order.id));
  billing.meters.countTopUp(order.amountNanos);
  await queueWebhook(transaction, order.accountId, {
    type: "top_up.succeeded",
    data: {
      top_up: { id: order.id, amount_usd: formatUsd(order.amountNanos) },
      balance_usd: formatUsd(posted.balanceNanos),
    },
  });
  const recipients = await queryRecipients(transaction, order);
  for (const recipient of recipients) {
    const path = await queryAccountPath(transaction, order.accountId);
    await queueMail(transaction, recipient, {
      kind: "receipt",
      amountUsd: formatUsd(order.amountNanos),
      balanceUsd: formatUsd(posted.balanceNanos),
      at: new Date().toISOString(),
      topUpLink: `${billing.publicUrl}${path}/wallet/top-ups/${order.id}`,
      receiptUrl: credit.receiptUrl,
    });
  }
  return true;
}

/** The person who paid; of an automatic payment everyone who answers for the account's money. */
async function queryRecipients(transaction: Db, order: Order): Promise<readonly string[]> {
  if (order.paymentMethodId !== null) return queryMoneyEmails(transaction, order.accountId);
  const email = await queryEmail(transaction, order.personId);
  return email === undefined ? [] : [email];
}

/** Undefined if the payment was credited to another account, or as another amount. */
async function post(
  transaction: Db,
  { proveMovement }: Billing,
  order: Order,
  { idempotencyKey }: Credit,
): Promise<Posted | undefined> {
  try {
    const movement = {
      accountId: order.accountId,
      amountNanos: order.amountNanos,
      kind: "top_up",
      book: "stripe_clearing",
      idempotencyKey,
      reason: `Top-up ${order.id}`,
      actor: order.processor,
    } as const;
    return await postMovement(transaction, movement, proveMovement);
  } catch (error) {
    if (error instanceof Fault && error.code === "conflict") return undefined;
    throw error;
  }
}
