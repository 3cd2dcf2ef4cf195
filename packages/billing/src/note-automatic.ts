// What a payment means for automatic top-ups, in the transaction that applies it: a card that was saved, or a
// charge that ended. After a failure nothing more is charged until a person acts.

import { readAccountPath } from "@turnpike/auth";
import { type AccountId, formatUsd, type Nanos } from "@turnpike/base";
import { type AutoTopUpState, autoTopUps, type Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { eq, sql } from "drizzle-orm";
import type { Billing } from "./billing.ts";
import { readMoneyEmails } from "./read-money-emails.ts";
import type { Order } from "./read-order.ts";
import type { Payment, SavedCard } from "./stripe-api.ts";

/** Saves the card if its owner agreed; it replaces the one before. */
export async function noteCredit(
  transaction: Db,
  order: Order,
  card: SavedCard | null,
): Promise<void> {
  if (order.paymentMethodId !== null) {
    const ok = { state: "ok" as const, lastFailure: null, failures: 0, updatedAt: sql`now()` };
    await transaction.update(autoTopUps).set(ok).where(eq(autoTopUps.accountId, order.accountId));
    return;
  }
  if (!order.savesCard || card === null) return;
  const saved = {
    paymentMethodId: card.paymentMethodId,
    cardBrand: card.brand,
    cardLast4: card.last4,
    cardExpMonth: card.expMonth,
    cardExpYear: card.expYear,
    state: "ok" as const,
    lastFailure: null,
    failures: 0,
    updatedAt: sql`now()`,
  };
  await transaction
    .insert(autoTopUps)
    .values({ accountId: order.accountId, ...saved })
    .onConflictDoUpdate({ target: autoTopUps.accountId, set: saved });
}

type Failure = Pick<NonNullable<Payment["intent"]>, "status" | "failure" | "failureCode">;

/** Stops automatic top-ups and tells those who answer for the account's money. */
export async function noteFailure(
  transaction: Db,
  billing: Billing,
  order: Order,
  intent: Failure | undefined,
): Promise<void> {
  if (order.paymentMethodId === null) return;
  await stopAutomatic(transaction, billing, order, stateOf(intent), intent?.failure ?? null);
}

function stateOf(intent: Failure | undefined): Exclude<AutoTopUpState, "ok"> {
  if (intent?.status === "requires_action") return "needs_authentication";
  if (intent?.failureCode === "authentication_required") return "needs_authentication";
  return intent?.failureCode === "expired_card" ? "expired_card" : "declined";
}

type Stopped = Pick<Order, "accountId" | "amountNanos">;

export async function stopAutomatic(
  transaction: Db,
  billing: Billing,
  { accountId, amountNanos }: Stopped,
  state: Exclude<AutoTopUpState, "ok">,
  failure: string | null,
): Promise<void> {
  await transaction
    .update(autoTopUps)
    .set({
      state,
      lastFailure: failure,
      failures: sql`${autoTopUps.failures} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(autoTopUps.accountId, accountId));
  await mailStop(transaction, billing, accountId, state, amountNanos);
}

/** Where only the payer can help, the link leads to the payment. */
const pages = {
  declined: "/wallet",
  needs_authentication: "/wallet?do=add-funds",
  expired_card: "/wallet?do=add-funds",
  ceiling: "/wallet",
} as const;

export async function mailStop(
  transaction: Db,
  billing: Billing,
  accountId: AccountId,
  reason: keyof typeof pages,
  amountNanos: Nanos,
): Promise<void> {
  const kind = `auto_top_up_${reason}` as const;
  const amountUsd = formatUsd(amountNanos);
  const link = `${billing.publicUrl}${await readAccountPath(transaction, accountId)}${pages[reason]}`;
  for (const email of await readMoneyEmails(transaction, accountId)) {
    await queueMail(transaction, email, { kind, amountUsd, link });
  }
}
