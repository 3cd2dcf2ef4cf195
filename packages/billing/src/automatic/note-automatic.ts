// What a payment means for automatic top-ups, in the transaction that applies it: a card that was saved, money that was
// added, or a charge that ended. After a failure nothing more is charged until a person acts.

import {
  type AutoTopUpFailure,
  type AutoTopUpState,
  autoTopUpFailures,
  autoTopUps,
  type Db,
  forgetCard,
} from "@turnpike/db";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import type { Payment, SavedCard } from "../stripe/stripe-api.ts";
import type { Order } from "../top-up/find-order.ts";
import { isOn, mailStop, queryObstacle } from "./pause-automatic.ts";
import { markCharged } from "./spending.ts";

/** Saves the card if its owner agreed; it replaces the one before. A card that was charged may have been renewed. */
export async function noteCredit(
  transaction: Db,
  order: Order,
  card: SavedCard | null,
): Promise<void> {
  if (order.paymentMethodId !== null) {
    await noteCharge(transaction, order, card);
    return;
  }
  if (order.savesCard && card !== null) await saveCard(transaction, order, card);
}

async function noteCharge(transaction: Db, order: Order, card: SavedCard | null): Promise<void> {
  const isSame = card?.paymentMethodId === order.paymentMethodId;
  await transaction
    .update(autoTopUps)
    .set({ ...afterSuccess(autoTopUpFailures), ...(isSame && card !== null && facesOf(card)) })
    .where(eq(autoTopUps.accountId, order.accountId));
  await markCharged(transaction, order.accountId);
}

async function saveCard(
  transaction: Db,
  { accountId, personId }: Order,
  card: SavedCard,
): Promise<void> {
  const { paymentMethodId } = card;
  const saved = { paymentMethodId, cardPersonId: personId, ...facesOf(card) };
  await transaction
    .insert(autoTopUps)
    .values({ accountId, ...saved })
    .onConflictDoUpdate({
      target: autoTopUps.accountId,
      // What was paused because of the former card goes on; the rest waits for a person to resume it.
      set: { ...saved, ...afterSuccess([...autoTopUpFailures, "deletion", "card_owner_left"]) },
    });
  if ((await queryObstacle(transaction, accountId)) === "deletion") {
    await forgetCard(transaction, accountId);
  }
}

function facesOf({ brand, last4, expMonth, expYear }: SavedCard) {
  return {
    cardBrand: brand,
    cardLast4: last4,
    cardExpMonth: expMonth,
    cardExpYear: expYear,
    updatedAt: sql`now()`,
  };
}

/** Ends the states that this has proved wrong. */
function afterSuccess(proved: readonly AutoTopUpState[]) {
  const isProved = inArray(autoTopUps.state, [...proved]);
  return {
    state: sql`case when ${isProved} then 'ok' else ${autoTopUps.state} end`,
    lastFailure: null,
    failures: 0,
    updatedAt: sql`now()`,
  };
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
  const { accountId, amountNanos } = order;
  const state = stateOf(intent);
  const stopped = await transaction
    .update(autoTopUps)
    .set({
      state,
      lastFailure: intent?.failure ?? null,
      failures: sql`${autoTopUps.failures} + 1`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(autoTopUps.accountId, accountId), isOn))
    .returning({ accountId: autoTopUps.accountId });
  if (stopped.length > 0) await mailStop(transaction, billing, accountId, state, amountNanos);
}

function stateOf(intent: Failure | undefined): AutoTopUpFailure {
  if (intent?.status === "requires_action") return "needs_authentication";
  if (intent?.failureCode === "authentication_required") return "needs_authentication";
  return intent?.failureCode === "expired_card" ? "expired_card" : "declined";
}
