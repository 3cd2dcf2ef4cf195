// Revokes a key permanently. Every instance refuses it within a second (by notification), or within ten
// when the notification is lost.

import { type ApiKeyId, Fault, type PersonId } from "@turnpike/base";
import {
  accounts,
  apiKeys,
  type Db,
  keyChanges,
  memberships,
  operator,
  recordAudit,
} from "@turnpike/db";
import { and, eq, exists, gte, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { KeyOwner } from "./change-api-key.ts";
import { notifyKeyChange } from "./notify-key-change.ts";

/**
 * Revokes a key; revoking it again keeps the first time. Throws `not_found`, also for a key of
 * another account, or made by another person, if `owner` is given.
 */
export async function revokeApiKey(
  db: Db,
  id: ApiKeyId,
  owner?: Pick<KeyOwner, "accountId" | "ownerOfKeys" | "actor">,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiKeys)
      .set({
        revokedAt: sql`least(${apiKeys.revokedAt}, clock_timestamp())`,
        changedAt: sql`clock_timestamp()`,
      })
      .where(
        and(
          eq(apiKeys.id, id),
          owner === undefined ? undefined : eq(apiKeys.accountId, owner.accountId),
          owner?.ownerOfKeys === undefined ? undefined : eq(apiKeys.createdBy, owner.ownerOfKeys),
        ),
      )
      .returning({ accountId: apiKeys.accountId, name: apiKeys.name });
    if (revoked === undefined) throw new Fault("not_found", "There is no such API key.");
    const { accountId, name } = revoked;
    const by = owner?.actor ?? operator;
    await recordAudit(tx, { accountId, by, action: "key.revoke", object: { id, name } });
  });
  await notifyKeyChange(db, id);
}

/**
 * Revokes the live keys of a person, all of them or those made or rotated since a moment: every key of their
 * personal account, and those they made in organizations. Returns how many were revoked.
 */
export async function revokeKeysOfPerson(
  db: Db,
  personId: PersonId,
  since?: Date,
): Promise<number> {
  const personal = db
    .select({ id: memberships.accountId })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.personId, personId), eq(accounts.kind, "personal")));
  const now = sql`clock_timestamp()`;
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(
      and(
        or(inArray(apiKeys.accountId, personal), eq(apiKeys.createdBy, personId)),
        isNull(apiKeys.revokedAt),
        since === undefined
          ? undefined
          : or(gte(apiKeys.createdAt, since), gotSecretSince(db, since)),
      ),
    )
    .returning({ id: apiKeys.id });
  for (const { id } of revoked) await notifyKeyChange(db, id);
  return revoked.length;
}

function gotSecretSince(db: Db, since: Date): SQL {
  return exists(
    db
      .select({ id: keyChanges.id })
      .from(keyChanges)
      .where(
        and(
          eq(keyChanges.keyId, apiKeys.id),
          gte(keyChanges.at, since),
          sql`${keyChanges.changes} ? 'secret'`,
        ),
      ),
  );
}
