// When the owner of an account wants a mail about a low balance.
import type { AccountId, Nanos } from "@turnpike/base";
import { accounts, type Db } from "@turnpike/db";
import { eq } from "drizzle-orm";

/** Null ends the alert. A new level may warn again at once. */
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
