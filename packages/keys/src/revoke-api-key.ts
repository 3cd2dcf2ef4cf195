// Revokes a key permanently. Every instance refuses it within a second (by notification), or within ten
// when the notification is lost.

import { type AccountId, type ApiKeyId, Fault, type PersonId } from "@turnpike/base";
import { apiKeys, type Db, memberships } from "@turnpike/db";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { notifyKeyChange } from "./notify-key-change.ts";

/**
 * Revokes a key; revoking it again keeps the first time. Throws `not_found`, also for a key of
 * another account if `owner` is given.
 */
export async function revokeApiKey(db: Db, id: ApiKeyId, owner?: AccountId): Promise<void> {
  const revoked = await db
    .update(apiKeys)
    .set({
      revokedAt: sql`least(${apiKeys.revokedAt}, clock_timestamp())`,
      changedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(apiKeys.id, id), owner === undefined ? undefined : eq(apiKeys.accountId, owner)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw new Fault("not_found", "There is no such API key.");
  await notifyKeyChange(db, id);
}

/** Revokes every live key of the accounts a person owns. Returns how many were revoked. */
export async function revokeKeysOfPerson(db: Db, personId: PersonId): Promise<number> {
  const owned = db
    .select({ id: memberships.accountId })
    .from(memberships)
    .where(and(eq(memberships.personId, personId), eq(memberships.role, "owner")));
  const now = sql`clock_timestamp()`;
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(and(inArray(apiKeys.accountId, owned), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  for (const { id } of revoked) await notifyKeyChange(db, id);
  return revoked.length;
}
