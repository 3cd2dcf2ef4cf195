// Pauses automatic top-ups where what lowers the balance, or who would pay, is no reason to charge: once, with a mail that
// says why. Only a person resumes them.

import { queryAccountPath } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import {
  type AutoTopUpFailure,
  type AutoTopUpPause,
  accountMoney,
  accounts,
  autoTopUpFailures,
  autoTopUps,
  type Db,
  forgetCard,
  topUps,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { formatUsd, type Nanos } from "@turnpike/terms";
import { and, asc, eq, gt, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { queryMoneyEmails } from "../alerts/query-money-emails.ts";
import type { Billing } from "../billing.ts";
import { isLowered } from "./spending.ts";

const batchMax = 200;

export const isOn = and(autoTopUps.enabled, eq(autoTopUps.state, "ok"));

/** Whose account it is has asked for their deletion. */
const isLeaving = sql`(${accounts.kind} = 'personal' and exists (
  select from memberships m join persons p on p.id = m.person_id
   where m.account_id = ${accounts.id} and p.deletion_due_at is not null))`;

/** Or has asked for their deletion, which is granted only where others remain in the account. */
const hasCardOwnerLeft = sql`(${autoTopUps.cardPersonId} is not null and not exists (
  select from memberships m join persons p on p.id = m.person_id
   where m.account_id = ${autoTopUps.accountId} and m.person_id = ${autoTopUps.cardPersonId}
     and p.deletion_due_at is null))`;

/** What it takes is on its way back to the payer, or returns if Stripe refuses: until then it says nothing. */
const isRefunding = sql`exists (select from ${topUps}
  where ${topUps.accountId} = ${autoTopUps.accountId} and ${topUps.refundClaimedNanos} > 0)`;

type Obstacle = Exclude<AutoTopUpPause, "refunded" | "disputed" | "lowered">;

/** Why nobody may turn charges on now; null if they may. */
const obstacle = sql<Obstacle | null>`case
  when ${isLeaving} then 'deletion'
  when ${accounts.suspendedAt} is not null then 'suspended'
  when ${accounts.frozenAt} is not null then 'frozen'
  when ${hasCardOwnerLeft} then 'card_owner_left' end`;

/** Why the card must not be charged; null if it may be. */
export const reasonToPause = sql<AutoTopUpPause | null>`coalesce(${obstacle},
  case when ${isLowered} and not ${isRefunding} then 'lowered' end)`;

/** Also while a refund is under way, which pauses once Stripe has made it. */
export const isNoCharge = sql`(${reasonToPause} is not null or ${isRefunding})`;

export async function queryObstacle(db: Db, accountId: AccountId): Promise<Obstacle | null> {
  const [row] = await db
    .select({ reason: obstacle })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .where(eq(autoTopUps.accountId, accountId));
  return row?.reason ?? null;
}

/**
 * The states that a reason replaces, so that ending what stopped charges before does not resume them: a card is forgotten
 * whatever was paused, and a new card is no answer to a refund or a dispute.
 */
function isReplacedBy(reason: AutoTopUpPause): SQL | undefined {
  if (reason === "deletion") return and(autoTopUps.enabled, ne(autoTopUps.state, "deletion"));
  if (reason !== "refunded" && reason !== "disputed") return isOn;
  const replaced = ["ok", "card_owner_left", ...autoTopUpFailures] as const;
  return and(autoTopUps.enabled, inArray(autoTopUps.state, [...replaced]));
}

/** For the job: what no transaction of this package notices when it happens. */
export async function pauseStopped(db: Db, billing: Billing): Promise<void> {
  let after: AccountId | undefined;
  for (;;) {
    const stopped = await db
      .select({ accountId: autoTopUps.accountId, reason: reasonToPause })
      .from(autoTopUps)
      .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
      .innerJoin(accountMoney, eq(accountMoney.accountId, autoTopUps.accountId))
      .where(
        and(
          or(and(isOn, isNotNull(reasonToPause)), and(isReplacedBy("deletion"), isLeaving)),
          after === undefined ? undefined : gt(autoTopUps.accountId, after),
        ),
      )
      .orderBy(asc(autoTopUps.accountId))
      .limit(batchMax);
    for (const { accountId, reason } of stopped) {
      if (reason !== null) await pauseOne(db, billing, accountId, reason);
    }
    after = stopped.at(-1)?.accountId;
    if (after === undefined || stopped.length < batchMax) return;
  }
}

/** A locked account delays no other. */
async function pauseOne(
  db: Db,
  billing: Billing,
  accountId: AccountId,
  reason: AutoTopUpPause,
): Promise<void> {
  try {
    await db.transaction((tx) => pauseAutomatic(tx, billing, accountId, reason));
  } catch (error) {
    billing.log.warn({ err: error, accountId, reason }, "automatic top-ups are not paused yet");
  }
}

/** Does nothing where they are off or have stopped for another reason. */
export async function pauseAutomatic(
  tx: Db,
  billing: Billing,
  accountId: AccountId,
  reason: AutoTopUpPause,
): Promise<void> {
  const paused = await tx
    .update(autoTopUps)
    .set({ state: reason, updatedAt: sql`now()` })
    .where(and(eq(autoTopUps.accountId, accountId), isReplacedBy(reason)))
    .returning({ accountId: autoTopUps.accountId });
  if (paused.length === 0) return;
  if (reason === "deletion") await forgetCard(tx, accountId);
  billing.log.info({ accountId, reason }, "automatic top-ups are paused");
  const link = `${billing.publicUrl}${await queryAccountPath(tx, accountId)}/wallet`;
  for (const email of await queryMoneyEmails(tx, accountId)) {
    await queueMail(tx, email, { kind: "auto_top_up_paused", reason, link });
  }
}

/** Where only the payer can help, the link leads to the payment. */
const pages = {
  declined: "/wallet",
  needs_authentication: "/wallet?do=add-funds",
  expired_card: "/wallet?do=add-funds",
  ceiling: "/wallet",
} as const satisfies Record<AutoTopUpFailure | "ceiling", string>;

export async function mailStop(
  tx: Db,
  billing: Billing,
  accountId: AccountId,
  reason: keyof typeof pages,
  amountNanos: Nanos,
): Promise<void> {
  const kind = `auto_top_up_${reason}` as const;
  const amountUsd = formatUsd(amountNanos);
  const link = `${billing.publicUrl}${await queryAccountPath(tx, accountId)}${pages[reason]}`;
  for (const email of await queryMoneyEmails(tx, accountId)) {
    await queueMail(tx, email, { kind, amountUsd, link });
  }
}
