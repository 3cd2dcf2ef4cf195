// What becomes of the keys of a member who leaves an account. Call it in the transaction that ends the
// membership, and `notifyKeyChange` of the account after its commit.
import type { AccountId, PersonId } from "@turnpike/base";
import { apiKeys, type Db } from "@turnpike/db";
import { and, eq, isNull, sql } from "drizzle-orm";

export async function revokeMemberKeys(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
): Promise<void> {
  const now = sql`clock_timestamp()`;
  await tx
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(madeBy(accountId, personId));
}

/** All of an account that is closed. */
export async function revokeAccountKeys(tx: Db, accountId: AccountId): Promise<void> {
  const now = sql`clock_timestamp()`;
  await tx
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)));
}

/** They become keys that `to` made. */
export async function handOverKeys(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
  to: PersonId,
): Promise<void> {
  await tx.update(apiKeys).set({ createdBy: to }).where(madeBy(accountId, personId));
}

function madeBy(accountId: AccountId, personId: PersonId) {
  return and(
    eq(apiKeys.accountId, accountId),
    eq(apiKeys.createdBy, personId),
    isNull(apiKeys.revokedAt),
  );
}
