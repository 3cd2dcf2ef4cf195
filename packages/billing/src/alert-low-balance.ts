// Warns owners whose available money fell below the level they set: once, until money is added and it
// is above that level again. Reserved money that is released does not count as added.
import { type AccountId, formatUsd, type Nanos, toNanos } from "@turnpike/base";
import { accounts, type Db, memberships, persons } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";

// As the Wallet shows it: what open leases have spent is part of held until they are posted.
const available = sql<string>`(${accounts.balanceNanos} - ${accounts.heldNanos})`;
// A movement is dated by the beginning of its transaction, which may have waited for this one.
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
): Promise<void> {
  await db
    .update(accounts)
    .set({ lowBalanceAlertNanos: levelNanos, lowBalanceAlertedAt: null })
    .where(eq(accounts.id, accountId));
}

/** Returns how many were warned. `walletUrl` is the link of the mail. */
export async function alertLowBalance(db: Db, walletUrl: string): Promise<number> {
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
                 and balance_nanos - held_nanos < low_balance_alert_nanos
               order by id limit ${batchMax} for no key update skip locked)`,
        ),
      )
      .returning({
        id: accounts.id,
        balanceNanos: accounts.balanceNanos,
        heldNanos: accounts.heldNanos,
        alertNanos: accounts.lowBalanceAlertNanos,
      });
    for (const account of low) {
      const owners = await transaction
        .select({ email: persons.email })
        .from(memberships)
        .innerJoin(persons, eq(persons.id, memberships.personId))
        .where(and(eq(memberships.accountId, account.id), eq(memberships.role, "owner")));
      for (const { email } of owners) {
        await queueMail(transaction, email, {
          kind: "low_balance",
          balanceUsd: formatUsd(toNanos(account.balanceNanos - account.heldNanos)),
          alertUsd: formatUsd(toNanos(account.alertNanos ?? 0n)),
          link: walletUrl,
        });
      }
    }
    return low.length;
  });
}
