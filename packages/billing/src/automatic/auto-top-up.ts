// Automatic top-ups of an account as its members set them: off until someone turns them on, and nothing is charged
// without a card that its owner saved for this.

import { type AccountId, Fault } from "@turnpike/base";
import {
  type AuditActor,
  type AutoTopUpState,
  accounts,
  autoTopUps,
  type Db,
  operator,
  recordAudit,
} from "@turnpike/db";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { eq, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import { parseTopUpAmount } from "../top-up/top-up-amount.ts";
import { queryObstacle } from "./pause-automatic.ts";
import { markOn } from "./spending.ts";

export type AutoTopUp = {
  readonly enabled: boolean;
  readonly thresholdNanos: Nanos | null;
  readonly amountNanos: Nanos | null;
  readonly ceilingNanos: Nanos | null;
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly expMonth: number;
    readonly expYear: number;
  } | null;
  readonly state: AutoTopUpState;
  readonly lastFailure: string | null;
  readonly failures: number;
};

export type AutoTopUpChange = {
  readonly enabled: boolean;
  readonly thresholdNanos: Nanos;
  /** As typed, within the bounds of every top-up. */
  readonly amountUsd: string;
  /** Of a calendar month in UTC. */
  readonly ceilingNanos: Nanos;
};

const off: AutoTopUp = {
  enabled: false,
  thresholdNanos: null,
  amountNanos: null,
  ceilingNanos: null,
  card: null,
  state: "ok",
  lastFailure: null,
  failures: 0,
};

const columns = {
  enabled: autoTopUps.enabled,
  thresholdNanos: autoTopUps.thresholdNanos,
  amountNanos: autoTopUps.amountNanos,
  ceilingNanos: autoTopUps.ceilingNanos,
  paymentMethodId: autoTopUps.paymentMethodId,
  cardBrand: autoTopUps.cardBrand,
  cardLast4: autoTopUps.cardLast4,
  cardExpMonth: autoTopUps.cardExpMonth,
  cardExpYear: autoTopUps.cardExpYear,
  state: autoTopUps.state,
  lastFailure: autoTopUps.lastFailure,
  failures: autoTopUps.failures,
};

export async function queryAutoTopUp(db: Db, accountId: AccountId): Promise<AutoTopUp> {
  const [row] = await db
    .select(columns)
    .from(autoTopUps)
    .where(eq(autoTopUps.accountId, accountId));
  if (row === undefined) return off;
  const { cardBrand: brand, cardLast4: last4, cardExpMonth: expMonth, cardExpYear: expYear } = row;
  const isKnown = brand !== null && last4 !== null && expMonth !== null && expYear !== null;
  return { ...row, card: isKnown ? { brand, last4, expMonth, expYear } : null };
}

/**
 * Also resumes what was paused, and lets a card be charged again that was refused. To enable it is to agree that an
 * account below its threshold is charged once. Throws faults about the amounts, and `conflict` or `account_suspended` if
 * it is to be enabled without a card that may be charged.
 */
export async function setAutoTopUp(
  db: Db,
  billing: Billing,
  accountId: AccountId,
  change: AutoTopUpChange,
  by: AuditActor = operator,
): Promise<void> {
  const { enabled, thresholdNanos, ceilingNanos } = change;
  const amountNanos = parseTopUpAmount(change.amountUsd, billing.bounds);
  if (thresholdNanos <= 0n) {
    throw new Fault("decimal_below_min_value", "The threshold must be above $0.", {
      param: "thresholdUsd",
    });
  }
  if (amountNanos < thresholdNanos) {
    const message = `A top-up must be at least the threshold of $${formatUsd(thresholdNanos)}: a smaller one would leave the balance below it.`;
    throw new Fault("decimal_below_min_value", message, { param: "amountUsd" });
  }
  if (ceilingNanos < amountNanos) {
    const message = "The monthly ceiling must be at least the amount of one top-up.";
    throw new Fault("decimal_below_min_value", message, { param: "ceilingUsd" });
  }
  await db.transaction(async (tx) => {
    // No movement of money between what is read of the account and the mark.
    await tx.execute(sql`select 1 from ${accounts} where id = ${accountId} for no key update`);
    await tx.insert(autoTopUps).values({ accountId }).onConflictDoNothing();
    const before = await lockSettings(tx, accountId);
    if (enabled) await assertNoObstacle(tx, accountId, before);
    await tx
      .update(autoTopUps)
      .set({
        enabled,
        thresholdNanos,
        amountNanos,
        ceilingNanos,
        state: "ok",
        lastFailure: null,
        failures: 0,
        ceilingToldAt: null,
        updatedAt: sql`now()`,
      })
      .where(eq(autoTopUps.accountId, accountId));
    if (enabled) await markOn(tx, accountId);
    const changes = {
      enabled: [String(before.enabled), String(enabled)],
      threshold_usd: [usdOf(before.thresholdNanos), formatUsd(thresholdNanos)],
      amount_usd: [usdOf(before.amountNanos), formatUsd(amountNanos)],
      ceiling_usd: [usdOf(before.ceilingNanos), formatUsd(ceilingNanos)],
    } as const;
    await recordAudit(tx, { accountId, by, action: "account.set_auto_top_up", changes });
  });
}

/** Turns automatic top-ups off, too. Throws `not_found` without a card. Stripe forgets the card; if it cannot be asked, the card stays there unused. */
export async function removeSavedCard(
  db: Db,
  billing: Billing,
  accountId: AccountId,
  by: AuditActor = operator,
): Promise<void> {
  const removed = await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ id: autoTopUps.paymentMethodId, last4: autoTopUps.cardLast4 })
      .from(autoTopUps)
      .where(eq(autoTopUps.accountId, accountId))
      .for("update");
    if (before === undefined || before.id === null)
      throw new Fault("not_found", "There is no saved card.");
    await tx
      .update(autoTopUps)
      .set({
        enabled: false,
        paymentMethodId: null,
        cardBrand: null,
        cardLast4: null,
        cardExpMonth: null,
        cardExpYear: null,
        cardPersonId: null,
        state: "ok",
        lastFailure: null,
        failures: 0,
        updatedAt: sql`now()`,
      })
      .where(eq(autoTopUps.accountId, accountId));
    const changes = { card: [before.last4, null] } as const;
    await recordAudit(tx, { accountId, by, action: "account.remove_card", changes });
    return before.id;
  });
  try {
    await billing.stripe?.forgetCard(removed);
  } catch (error) {
    billing.log.warn({ err: error, accountId }, "a removed card is still saved at Stripe");
  }
}

const obstacles = {
  suspended: ["account_suspended", "This account is suspended. Contact support."],
  frozen: ["conflict", "This account owes money. Add funds first."],
  deletion: ["conflict", "You asked for the deletion of this account. Cancel it first."],
  card_owner_left: [
    "conflict",
    "The member who saved the card has left or asked for their deletion. Save another one first: add funds and choose to save the card.",
  ],
} as const;

type Settings = Awaited<ReturnType<typeof lockSettings>>;

async function assertNoObstacle(tx: Db, accountId: AccountId, settings: Settings): Promise<void> {
  const reason = await queryObstacle(tx, accountId);
  if (reason !== null) {
    const [code, message] = obstacles[reason];
    throw new Fault(code, message);
  }
  if (settings.paymentMethodId !== null && settings.cardLast4 !== null) return;
  throw new Fault("conflict", "Save a card first: add funds and choose to save it.");
}

async function lockSettings(tx: Db, accountId: AccountId) {
  const [row] = await tx
    .select(columns)
    .from(autoTopUps)
    .where(eq(autoTopUps.accountId, accountId))
    .for("update");
  if (row === undefined) throw new Error(`account ${accountId} has no automatic top-up`);
  return row;
}

function usdOf(nanos: Nanos | null): string | null {
  return nanos === null ? null : formatUsd(nanos);
}
