// Keys of the management API: created with some of the permissions of their creator, listed, revoked. The key is
// returned once; the row keeps its SHA-256.
import {
  type AccountId,
  Fault,
  hashToken,
  type ManagementKeyId,
  type PersonId,
  parseName,
} from "@turnpike/base";
import { type Db, managementKeys, persons, recordAudit } from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, count, desc, eq, gte, isNull, sql } from "drizzle-orm";
import { auditActorOf, type Member } from "../member/actor.ts";
import { type Permission, permissions, scopeOf } from "../member/permissions.ts";
import { makeManagementKeyText, maskManagementKey } from "./management-key-text.ts";

const liveKeysMax = 100;

/** What no key may do: what needs a person, calling models, and creating further management keys. */
const forPersonsOnly: ReadonlySet<Permission> = new Set([
  "account.own",
  "playground.use",
  "management.change",
]);

/** The permissions that a management key can have, if its creator has them. */
export const grantablePermissions: readonly Permission[] = permissions.filter(
  (permission) => !forPersonsOnly.has(permission),
);

export type NewManagementKey = {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt?: Date | undefined;
  /** Chosen by the caller, so that a repeated attempt creates one key. */
  readonly id: ManagementKeyId;
};

/** Throws `invalid_value`, `permission_denied` for what the creator may not do, and `conflict`. */
export async function createManagementKey(
  db: Db,
  by: Member,
  input: NewManagementKey,
): Promise<{ readonly id: ManagementKeyId; readonly key: string }> {
  const { id } = input;
  const message = `A key's name has 1 to ${nameCharsMax.managementKey} characters.`;
  const name = parseName(input.name, { charsMax: nameCharsMax.managementKey, message });
  const granted = checkPermissions(by, input.permissions);
  const key = makeManagementKeyText();
  const accountId = by.account.id;
  await db.transaction(async (tx) => {
    await checkRoom(tx, accountId);
    const inserted = await tx
      .insert(managementKeys)
      .values({
        accountId,
        id,
        name,
        hash: hashToken(key),
        masked: maskManagementKey(key),
        permissions: [...granted],
        createdBy: by.person.id,
        expiresAt: input.expiresAt ?? null,
      })
      .onConflictDoNothing()
      .returning({ id: managementKeys.id });
    if (inserted.length === 0) {
      throw new Fault("conflict", "This key has already been created. Reload to see it.");
    }
    await recordAudit(tx, {
      accountId,
      by: auditActorOf(by),
      action: "management_key.create",
      object: { id, name },
      changes: { permissions: [null, granted.join(", ")] },
    });
  });
  return { id, key };
}

export type ListedManagementKey = {
  readonly id: ManagementKeyId;
  readonly name: string;
  readonly masked: string;
  readonly permissions: readonly string[];
  /** The email address of the person whose rights it shares. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
};

/** Those of an account, or of one person in it. */
export type ManagementKeyScope = {
  readonly accountId: AccountId;
  readonly ownerOfKeys?: PersonId | undefined;
};

/** Those that are not revoked, newest first. */
export async function listManagementKeys(
  db: Db,
  scope: ManagementKeyScope,
): Promise<ListedManagementKey[]> {
  return db
    .select({
      id: managementKeys.id,
      name: managementKeys.name,
      masked: managementKeys.masked,
      permissions: managementKeys.permissions,
      createdBy: persons.email,
      createdAt: managementKeys.createdAt,
      expiresAt: managementKeys.expiresAt,
      lastUsedAt: managementKeys.lastUsedAt,
    })
    .from(managementKeys)
    .innerJoin(persons, eq(persons.id, managementKeys.createdBy))
    .where(liveIn(scope))
    .orderBy(desc(managementKeys.createdAt), desc(managementKeys.id))
    .limit(liveKeysMax + 1);
}

/** Its next call is refused. Throws `not_found`. */
export async function revokeManagementKey(
  db: Db,
  by: Member,
  id: ManagementKeyId,
  ownerOfKeys?: PersonId,
): Promise<void> {
  const accountId = by.account.id;
  await db.transaction(async (tx) => {
    const [revoked] = await tx
      .update(managementKeys)
      .set({ revokedAt: sql`now()` })
      .where(and(liveIn({ accountId, ownerOfKeys }), eq(managementKeys.id, id)))
      .returning({ id: managementKeys.id, name: managementKeys.name });
    if (revoked === undefined) {
      throw new Fault("not_found", "There is no such management key.");
    }
    const action = "management_key.revoke";
    await recordAudit(tx, { accountId, by: auditActorOf(by), action, object: revoked });
  });
}

/** Those that a person made in any account, all of them or since a moment. */
export async function revokeManagementKeysOfPerson(
  db: Db,
  personId: PersonId,
  since?: Date,
): Promise<number> {
  const revoked = await db
    .update(managementKeys)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(managementKeys.createdBy, personId),
        isNull(managementKeys.revokedAt),
        since === undefined ? undefined : gte(managementKeys.createdAt, since),
      ),
    )
    .returning({ id: managementKeys.id });
  return revoked.length;
}

/** Those of a member who leaves the account. */
export async function revokeManagementKeysOfMember(
  tx: Db,
  accountId: AccountId,
  ownerOfKeys: PersonId,
): Promise<void> {
  await tx
    .update(managementKeys)
    .set({ revokedAt: sql`now()` })
    .where(liveIn({ accountId, ownerOfKeys }));
}

function liveIn({ accountId, ownerOfKeys }: ManagementKeyScope) {
  return and(
    eq(managementKeys.accountId, accountId),
    ownerOfKeys === undefined ? undefined : eq(managementKeys.createdBy, ownerOfKeys),
    isNull(managementKeys.revokedAt),
  );
}

/** Never more than the creator's. */
function checkPermissions(
  { account }: Member,
  wished: readonly Permission[],
): readonly Permission[] {
  const param = "permissions";
  if (wished.length === 0) {
    throw new Fault("invalid_value", "Choose at least one permission.", { param });
  }
  for (const permission of wished) {
    if (!grantablePermissions.includes(permission)) {
      throw new Fault("invalid_value", `A management key cannot have ${permission}.`, { param });
    }
    if (scopeOf(account.role, permission) === undefined) {
      throw new Fault(
        "permission_denied",
        `Your role in ${account.name || "this account"} (${account.role}) does not include ${permission}.`,
        { param, metadata: { permission, role: account.role } },
      );
    }
  }
  return grantablePermissions.filter((permission) => wished.includes(permission));
}

/** Keeps lists small. The bound is exact because changes of an account run one at a time. */
async function checkRoom(tx: Db, accountId: AccountId): Promise<void> {
  const [found] = await tx
    .select({ live: count(managementKeys.id) })
    .from(managementKeys)
    .where(liveIn({ accountId }));
  if ((found?.live ?? 0) < liveKeysMax) return;
  throw new Fault("conflict", `An account has at most ${liveKeysMax} management keys.`);
}
