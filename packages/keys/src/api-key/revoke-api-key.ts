// Revokes a key permanently. Every instance refuses it within a second (by notification), or within ten
// when the notification is lost.

import { type AccountId, type ApiKeyId, Fault, type PersonId } from "@turnpike/base";
import {
  type AuditActor,
  accounts,
  actorOf,
  apiKeys,
  type Db,
  keyChanges,
  memberships,
  operator,
  queueWebhook,
  recordAudit,
} from "@turnpike/db";
import { and, eq, exists, gte, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { projectOfKey } from "../account/project.ts";
import { notifyKeyChange } from "../changes/notify-key-change.ts";
import type { KeyOwner } from "./change-api-key.ts";
import { canBeUsedBy, endPreviousSecrets } from "./settle-member-keys.ts";

/**
 * Revokes a key; revoking it again keeps the first time. Throws `not_found`, also for a key of
 * another account, or made by another person, if `owner` is given.
 */
export async function revokeApiKey(
  db: Db,
  id: ApiKeyId,
  owner?: Pick<KeyOwner, "accountId" | "ownerOfKeys" | "projectIds" | "actor">,
  by: AuditActor = owner?.actor ?? operator,
): Promise<void> {
  const named = and(
    eq(apiKeys.id, id),
    owner === undefined ? undefined : eq(apiKeys.accountId, owner.accountId),
    owner?.ownerOfKeys === undefined ? undefined : eq(apiKeys.createdBy, owner.ownerOfKeys),
    owner?.projectIds === undefined ? undefined : inArray(projectOfKey, [...owner.projectIds]),
  );
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ revokedAt: apiKeys.revokedAt })
      .from(apiKeys)
      .where(named)
      .for("no key update");
    const [revoked] = await tx
      .update(apiKeys)
      .set({
        revokedAt: sql`least(${apiKeys.revokedAt}, clock_timestamp())`,
        changedAt: sql`clock_timestamp()`,
      })
      .where(named)
      .returning({ accountId: apiKeys.accountId, name: apiKeys.name });
    if (revoked === undefined) throw new Fault("not_found", "There is no such API key.");
    const { accountId, name } = revoked;
    const key = { id, name };
    await recordAudit(tx, { accountId, by, action: "key.revoke", object: key });
    if (before?.revokedAt === null) {
      const data = { key, by: actorOf(by) };
      await queueWebhook(tx, accountId, { type: "key.revoked", data });
    }
  });
  await notifyKeyChange(db, id);
}

/** All live keys of an account, for an operator. Returns how many were revoked. */
export async function revokeKeysOfAccount(
  db: Db,
  accountId: AccountId,
  by: AuditActor,
): Promise<number> {
  const now = sql`clock_timestamp()`;
  const revoked = await db.transaction(async (tx) => {
    const keys = await tx
      .update(apiKeys)
      .set({ revokedAt: now, changedAt: now })
      .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id, name: apiKeys.name });
    for (const key of keys) {
      await recordAudit(tx, { accountId, by, action: "key.revoke", object: key });
      await queueWebhook(tx, accountId, { type: "key.revoked", data: { key, by: actorOf(by) } });
    }
    return keys;
  });
  await notifyKeyChange(db, accountId);
  return revoked.length;
}

/** Who changed their password after a break-in, or undid a change. */
const recovery: AuditActor = { kind: "system", name: "account recovery", address: "" };

/**
 * Revokes the live keys of a person, all of them or those made or rotated since a moment: every key of their
 * personal account, and those of organizations that are theirs or whose secret they were shown. Returns how many were
 * revoked.
 */
export async function revokeKeysOfPerson(
  db: Db,
  personId: PersonId,
  since?: Date,
): Promise<number> {
  const { ended, revoked } = await db.transaction(async (tx) => {
    const live = and(
      isNull(apiKeys.revokedAt),
      inArray(apiKeys.accountId, accountsOf(tx, personId)),
      since === undefined ? undefined : gotSecretSince(tx, since),
    );
    const ended = await endPreviousSecrets(tx, live, personId);
    const keys = await revokeLive(tx, personId, since);
    for (const { accountId, ...key } of keys) {
      await recordAudit(tx, { accountId, by: recovery, action: "key.revoke", object: key });
      await queueWebhook(tx, accountId, {
        type: "key.revoked",
        data: { key, by: actorOf(recovery) },
      });
    }
    return { ended, revoked: keys };
  });
  for (const id of [...ended, ...revoked.map((key) => key.id)]) await notifyKeyChange(db, id);
  return revoked.length;
}

function revokeLive(tx: Db, personId: PersonId, since: Date | undefined) {
  const personal = accountsOf(tx, personId, "personal");
  // What they made for an account that they have left is its members' to keep.
  const own = and(inArray(apiKeys.accountId, accountsOf(tx, personId)), canBeUsedBy(personId));
  const now = sql`clock_timestamp()`;
  return tx
    .update(apiKeys)
    .set({ revokedAt: now, changedAt: now })
    .where(
      and(
        or(inArray(apiKeys.accountId, personal), own),
        isNull(apiKeys.revokedAt),
        since === undefined
          ? undefined
          : or(gte(apiKeys.createdAt, since), gotSecretSince(tx, since)),
      ),
    )
    .returning({ id: apiKeys.id, name: apiKeys.name, accountId: apiKeys.accountId });
}

/** Of which they are a member. */
function accountsOf(tx: Db, personId: PersonId, kind?: "personal") {
  return tx
    .select({ id: memberships.accountId })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(
      and(
        eq(memberships.personId, personId),
        kind === undefined ? undefined : eq(accounts.kind, kind),
      ),
    );
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
