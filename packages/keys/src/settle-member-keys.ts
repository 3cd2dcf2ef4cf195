// What happens to the keys of a member who leaves an account. Call it in the transaction that ends the
// membership, and `notifyKeyChange` of the account after its commit.
import type { AccountId, PersonId } from "@turnpike/base";
import { type AuditActor, actorOf, apiKeys, type Db, queueWebhook } from "@turnpike/db";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";

export async function revokeMemberKeys(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
  by: AuditActor,
): Promise<void> {
  await revokeKeysWhere(tx, accountId, madeBy(accountId, personId), by);
}

/** Live keys of the account that the condition selects. */
export async function revokeKeysWhere(
  tx: Db,
  accountId: AccountId,
  condition: SQL | undefined,
  by: AuditActor,
): Promise<void> {
  const now = sql`clock_timestamp()`;
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(condition)
    .returning({ id: apiKeys.id, name: apiKeys.name });
  for (const key of revoked) {
    await queueWebhook(tx, accountId, { type: "key.revoked", data: { key, by: actorOf(by) } });
  }
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
