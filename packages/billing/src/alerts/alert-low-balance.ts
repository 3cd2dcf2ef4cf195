// Warns those who answer for the money of an account whose available money fell below the level they set: once, until money is added and it
// is above that level again. Reserved money that is released does not count as added. Mails about it are a day apart.
import { accountPath } from "@turnpike/accounts";
import type { AccountId } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  type Db,
  operator,
  queueWebhook,
  recordAudit,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { formatUsd, type Nanos, toNanos } from "@turnpike/terms";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { queryMoneyEmails } from "./query-money-emails.ts";

// As the Wallet shows it: what open leases have spent is part of held until they are posted.
const available = sql<string>`(${accounts.balanceNanos} + ${accounts.creditLimitNanos} - ${accounts.heldNanos})`;
// A movement is dated under the account's lock, and becomes visible when its transaction commits, a moment later.
const cameIn = sql`exists (select 1 from entries e
    join ledger_transactions t on t.id = e.transaction_id
   where e.account_id = ${accounts.id} and e.book = 'account' and e.amount_nanos > 0
     and t.created_at > ${accounts.lowBalanceAlertedAt} - interval '10 seconds')`;
const batchMax = 200;

/** Null ends the alert. A new level may warn again immediately. */
export async function setLowBalanceAlert(
  db: Db,
  accountId: AccountId,
  levelNanos: Nanos | null,
  by: AuditActor = operator,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ levelNanos: accounts.lowBalanceAlertNanos })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");
    await tx
      .update(accounts)
      .set({ lowBalanceAlertNanos: levelNanos, lowBalanceAlertedAt: null })
      .where(eq(accounts.id, accountId));
    const usd = [usdOf(before?.levelNanos ?? null), usdOf(levelNanos)] as const;
    const action = "account.set_low_balance_alert";
    await recordAudit(tx, { accountId, by, action, changes: { usd } });
  });
}

function usdOf(nanos: Nanos | null): string | null {
  return nanos === null ? null : formatUsd(nanos);
}

/**
 * The event is sent for each fall below the level, the mail at most once a day: one that falls again on the same day is
 * mailed when the day is over, if it is still below. Returns how many accounts fell. `publicUrl` is the base of the links.
 */
export async function alertLowBalance(db: Db, publicUrl: string): Promise<number> {
  await db
    .update(accounts)
    .set({ lowBalanceAlertedAt: null })
    .where(
      and(
        isNotNull(accounts.lowBalanceAlertedAt),
        sql`${available} >= ${accounts.lowBalanceAlertNanos}`,
        cameIn,
      ),
    );
  return db.transaction(async (transaction) => {
    const low = await transaction
      .update(accounts)
      .set({ lowBalanceAlertedAt: sql`now()` })
      .where(
        and(
          isNull(accounts.lowBalanceAlertedAt),
          sql`${accounts.id} in (select id from accounts
               where low_balance_alert_nanos is not null and low_balance_alerted_at is null
                 and balance_nanos + credit_limit_nanos - held_nanos < low_balance_alert_nanos
               order by id limit ${batchMax} for no key update skip locked)`,
        ),
      )
      .returning(columns);
    for (const account of low) {
      const { availableUsd, alertUsd } = amountsOf(account);
      const data = { available_usd: availableUsd, alert_usd: alertUsd };
      await queueWebhook(transaction, account.id, { type: "balance.low", data });
    }
    await mailUnmailed(transaction, publicUrl);
    return low.length;
  });
}

/** Accounts whose last fall was not mailed yet, and which were not mailed within a day. */
async function mailUnmailed(tx: Db, publicUrl: string): Promise<void> {
  const due = await tx
    .update(accounts)
    .set({ lowBalanceMailedAt: sql`now()` })
    .where(
      sql`${accounts.id} in (select id from accounts
           where low_balance_alerted_at is not null
             and coalesce(low_balance_mailed_at < low_balance_alerted_at, true)
             and coalesce(low_balance_mailed_at <= now() - interval '1 day', true)
             and balance_nanos + credit_limit_nanos - held_nanos < low_balance_alert_nanos
           order by id limit ${batchMax} for no key update skip locked)`,
    )
    .returning(columns);
  for (const account of due) {
    const { availableUsd: balanceUsd, alertUsd } = amountsOf(account);
    const link = `${publicUrl}${accountPath(account)}/wallet`;
    for (const email of await queryMoneyEmails(tx, account.id)) {
      await queueMail(tx, email, { kind: "low_balance", balanceUsd, alertUsd, link });
    }
  }
}

const columns = {
  id: accounts.id,
  balanceNanos: accounts.balanceNanos,
  heldNanos: accounts.heldNanos,
  creditLimitNanos: accounts.creditLimitNanos,
  alertNanos: accounts.lowBalanceAlertNanos,
  kind: accounts.kind,
  slug: accounts.slug,
} as const;

type Amounts = Pick<
  typeof accounts.$inferSelect,
  "balanceNanos" | "heldNanos" | "creditLimitNanos"
> & { readonly alertNanos: Nanos | null };

function amountsOf({ balanceNanos, creditLimitNanos, heldNanos, alertNanos }: Amounts) {
  return {
    availableUsd: formatUsd(toNanos(balanceNanos + creditLimitNanos - heldNanos)),
    alertUsd: formatUsd(toNanos(alertNanos ?? 0n)),
  };
}
