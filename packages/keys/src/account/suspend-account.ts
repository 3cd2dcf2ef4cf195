// Stops and restarts an account: while it is suspended every one of its keys is refused. Calls
// in progress finish and are billed, and the balance is unchanged.

import { type AccountId, Fault } from "@turnpike/base";
import { type AuditActor, accounts, apiKeys, type Db, operator, recordAudit } from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
import { notifyKeyChange } from "../changes/notify-key-change.ts";

/** Suspending again keeps the first time. Throws `not_found`. */
export function suspendAccount(db: Db, id: AccountId, by = operator): Promise<void> {
  return setSuspended(db, id, by, true);
}

export function resumeAccount(db: Db, id: AccountId, by = operator): Promise<void> {
  return setSuspended(db, id, by, false);
}

async function setSuspended(
  db: Db,
  id: AccountId,
  by: AuditActor,
  suspended: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Account first, keys after: the order in which holds and settlements lock them.
    const changed = await tx
      .update(accounts)
      .set({ suspendedAt: suspended ? sql`coalesce(${accounts.suspendedAt}, now())` : null })
      .where(eq(accounts.id, id))
      .returning({ id: accounts.id });
    if (changed.length === 0) throw new Fault("not_found", "There is no such account.");
    await tx
      .update(apiKeys)
      .set({ changedAt: sql`clock_timestamp()` })
      .where(eq(apiKeys.accountId, id));
    const action = suspended ? "account.suspend" : "account.resume";
    await recordAudit(tx, { accountId: id, by, action });
  });
  await notifyKeyChange(db, id);
}
