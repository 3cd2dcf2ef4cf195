// What happens to the keys of a member who leaves an account. Call it in the transaction that ends the
// membership, and `notifyKeyChange` of the account after its commit.
// Revoked are the keys that are theirs and those whose secret they were shown, no matter whose they are.
import type { AccountId, ApiKeyId, PersonId } from "@turnpike/base";
import { type AuditActor, actorOf, apiKeys, type Db, queueWebhook } from "@turnpike/db";
import { and, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";

export async function revokeMemberKeys(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
  by: AuditActor,
): Promise<void> {
  const ofAccount = and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt));
  await endPreviousSecrets(tx, ofAccount, personId);
  await revokeKeysWhere(tx, accountId, and(ofAccount, canBeUsedBy(personId)), by);
}

/** Whose key it is, or who was shown its present secret. */
export function canBeUsedBy(personId: PersonId): SQL | undefined {
  return or(
    eq(apiKeys.createdBy, personId),
    eq(apiKeys.shownTo, personId),
    and(isNull(apiKeys.shownTo), wasShownByAudit(personId)),
  );
}

/** Ends the secrets before the last rotation that they were shown; the present ones are others'. */
export async function endPreviousSecrets(
  tx: Db,
  keys: SQL | undefined,
  personId: PersonId,
): Promise<readonly ApiKeyId[]> {
  const ended = await tx
    .update(apiKeys)
    .set({ previousHash: null, previousUntil: null, changedAt: sql`clock_timestamp()` })
    .where(and(keys, isNotNull(apiKeys.previousHash), eq(apiKeys.previousShownTo, personId)))
    .returning({ id: apiKeys.id });
  return ended.map(({ id }) => id);
}

/** Of keys that were made or rotated by a version that did not note it yet: only the audit log knows. */
function wasShownByAudit(personId: PersonId): SQL {
  return sql`${apiKeys.id}::text in (
    select a.object_id from audit_log a
     where a.account_id = ${apiKeys.accountId} and a.action in ('key.create', 'key.rotate')
       and (a.actor_id = ${personId}
         or a.actor_id in (select m.id from management_keys m
           where m.account_id = ${apiKeys.accountId} and m.created_by = ${personId})))`;
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
