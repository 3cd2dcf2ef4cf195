// Warns owners whose available money fell below the level they set: once, until it has been above
// that level again.
import { formatUsd, toNanos } from "@turnpike/base";
import { accounts, type Db, memberships, persons, queueMail } from "@turnpike/db";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";

const available = sql<string>`(${accounts.balanceNanos} - ${accounts.heldNanos})`;
const batchMax = 200;

/** Returns how many were warned. `walletUrl` is where the mail leads. */
export async function alertLowBalance(db: Db, walletUrl: string): Promise<number> {
  await db
    .update(accounts)
    .set({ lowBalanceAlertedAt: null })
    .where(
      and(
        isNotNull(accounts.lowBalanceAlertedAt),
        sql`${available} >= ${accounts.lowBalanceAlertNanos}`,
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
