// Writes the orders of automatic top-ups that calls have made due, and asks nobody yet. Every account has its turn: they
// are read in one order to the end, without those that nothing can be done for now.

import { type AccountId, newId, type TopUpId } from "@turnpike/base";
import { accountMoney, accounts, autoTopUps, type Db, topUps } from "@turnpike/db";
import type { Nanos } from "@turnpike/terms";
import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Billing } from "../billing.ts";
import { isNoCharge, isOn, mailStop } from "./pause-automatic.ts";
import { isLow, isSpent, spentNanos } from "./spending.ts";

const batchMax = 200;
/** How long an undecided charge is repeated; Stripe keeps an idempotency key for a day. */
const repeatHours = 1;

/** What calls have made due, of a card that may be charged. */
export const mayCharge = and(
  isOn,
  isNotNull(autoTopUps.paymentMethodId),
  isNull(accounts.closedAt),
  sql`not ${isNoCharge}`,
  isLow,
  isSpent,
);

const monthStart = sql`date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
const automatic = sql`${topUps.accountId} = ${autoTopUps.accountId} and ${topUps.paymentMethodId} is not null`;
const isCharge = sql`${automatic} and ${topUps.state} not in ('failed', 'canceled', 'expired')`;

const chargedThisMonth = sql`(select coalesce(sum(${topUps.amountNanos}), 0) from ${topUps}
  where ${isCharge} and ${topUps.createdAt} >= ${monthStart})`;
const isBeyondCeiling = sql<boolean>`(${chargedThisMonth} + ${autoTopUps.amountNanos} > ${autoTopUps.ceilingNanos})`;
const isTold = sql<boolean>`coalesce(${autoTopUps.ceilingToldAt} >= ${monthStart}, false)`;

const isUnderWay = sql`exists (select from ${topUps}
  where ${automatic} and ${topUps.state} in ('created', 'pending', 'processing', 'quarantined'))`;

/** An hour lies between two charges, unless calls have spent the former. */
const isSoon = sql`(exists (select from ${topUps}
    where ${isCharge} and ${topUps.createdAt} > now() - interval '1 hour')
  and coalesce(${spentNanos} - ${autoTopUps.chargedSpentNanos} < (select ${topUps.amountNanos} from ${topUps}
    where ${automatic} and ${topUps.creditedNanos} > 0 order by ${topUps.createdAt} desc limit 1), true))`;

/** Also accounts whose members must be told that the ceiling is reached; the rest of the month they are left out. */
const isDue = and(
  mayCharge,
  sql`not ${isUnderWay}`,
  sql`not ${isSoon}`,
  sql`not (${isBeyondCeiling} and ${isTold})`,
);

function selectDue(db: Db, where: SQL | undefined) {
  return db
    .select({
      accountId: autoTopUps.accountId,
      amountNanos: autoTopUps.amountNanos,
      ceilingNanos: autoTopUps.ceilingNanos,
      paymentMethodId: autoTopUps.paymentMethodId,
      isBeyondCeiling,
    })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .innerJoin(accountMoney, eq(accountMoney.accountId, autoTopUps.accountId))
    .where(and(isDue, where))
    .orderBy(asc(autoTopUps.accountId))
    .limit(batchMax);
}

/** Safe to run concurrently. */
export async function beginCharges(db: Db, billing: Billing): Promise<void> {
  let after: AccountId | undefined;
  for (;;) {
    const due = await selectDue(db, after && gt(autoTopUps.accountId, after));
    for (const { accountId } of due) await tryBeginCharge(db, billing, accountId);
    after = due.at(-1)?.accountId;
    if (after === undefined || due.length < batchMax) return;
  }
}

/** A locked account delays no other. */
async function tryBeginCharge(db: Db, billing: Billing, accountId: AccountId): Promise<void> {
  try {
    await beginCharge(db, billing, accountId);
  } catch (error) {
    billing.log.warn({ err: error, accountId }, "an automatic top-up has not begun");
  }
}

/** Writes the order, unless the month's ceiling is reached. */
async function beginCharge(db: Db, billing: Billing, accountId: AccountId): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from ${accounts} where id = ${accountId} for no key update`);
    await tx
      .select({ accountId: autoTopUps.accountId })
      .from(autoTopUps)
      .where(eq(autoTopUps.accountId, accountId))
      .for("update");
    // Read after the locks were taken: another instance may have topped up meanwhile, or an operator refunded.
    const [due] = await selectDue(tx, eq(autoTopUps.accountId, accountId));
    if (due === undefined) return;
    const { amountNanos, ceilingNanos, paymentMethodId } = due;
    if (amountNanos === null || ceilingNanos === null || paymentMethodId === null) return;
    if (due.isBeyondCeiling) {
      await tellCeiling(tx, billing, accountId, ceilingNanos);
      return;
    }
    await tx.insert(topUps).values({
      id: newId<TopUpId>(),
      accountId,
      amountNanos,
      paymentMethodId,
      processor: billing.stripe === undefined ? "sandbox" : "stripe",
      livemode: billing.stripe?.livemode ?? false,
      expiresAt: sql`now() + make_interval(hours => ${repeatHours}::int)`,
    });
  });
}

async function tellCeiling(
  tx: Db,
  billing: Billing,
  accountId: AccountId,
  ceilingNanos: Nanos,
): Promise<void> {
  await tx
    .update(autoTopUps)
    .set({ ceilingToldAt: sql`now()` })
    .where(eq(autoTopUps.accountId, accountId));
  await mailStop(tx, billing, accountId, "ceiling", ceilingNanos);
}
