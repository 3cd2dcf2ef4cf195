// What automatic charges follow: what calls have cost an account in its life. A charge is due once that is above a mark,
// which is set when someone turns charges on and after a charge. Whatever else moves the balance or the credit limit moves
// the mark with it (drizzle/functions/mark_automatic.sql), so that only calls make a charge due.

import type { AccountId } from "@turnpike/base";
import { accountMoney, accounts, autoTopUps, type Db } from "@turnpike/db";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";

/** Grows only: what was paid in, less what is left of it. */
export const spentNanos = sql`(${accountMoney.creditedNanos} - ${accountMoney.balanceNanos})`;

/** What people read as the balance, and what the account may owe. Not less by what calls reserve. */
const levelNanos = sql`(${accountMoney.balanceNanos} + ${accounts.creditLimitNanos})`;

export const isLow = sql`${levelNanos} < ${autoTopUps.thresholdNanos}`;

/** Calls took it below, or it was below when charges were turned on. */
export const isSpent = sql`${spentNanos} > ${autoTopUps.dueSpentNanos}`;

/** Something other than calls took it below; `mark_automatic` marks it so. */
export const isLowered = sql`(${isLow} and ${autoTopUps.dueSpentNanos} = 9223372036854775807)`;

const untilLow = sql`${spentNanos} + greatest(${levelNanos} - ${autoTopUps.thresholdNanos}, 0)`;

/** From when someone turns charges on: an account that is below already is charged once. */
const dueFromNow = sql`case when ${isLow} then ${spentNanos} - 1 else ${untilLow} end`;

export function markOn(tx: Db, accountId: AccountId): Promise<void> {
  return mark(tx, { dueSpentNanos: dueFromNow }, eq(autoTopUps.accountId, accountId));
}

/** The same for accounts that an older version turned on. */
export function markUnmarked(db: Db): Promise<void> {
  const isUnmarked = and(autoTopUps.enabled, isNull(autoTopUps.dueSpentNanos));
  return mark(db, { dueSpentNanos: dueFromNow }, isUnmarked);
}

/** The card was charged: only what is spent from now on can make the next charge due. */
export function markCharged(tx: Db, accountId: AccountId): Promise<void> {
  const marks = { dueSpentNanos: untilLow, chargedSpentNanos: spentNanos };
  return mark(tx, marks, eq(autoTopUps.accountId, accountId));
}

type Marks = { readonly dueSpentNanos: SQL; readonly chargedSpentNanos?: SQL };

async function mark(db: Db, marks: Marks, where: SQL | undefined): Promise<void> {
  await db
    .update(autoTopUps)
    .set(marks)
    .from(accounts)
    .innerJoin(accountMoney, eq(accountMoney.accountId, accounts.id))
    .where(and(eq(accounts.id, autoTopUps.accountId), where));
}
