// Who calls the management API: read from the database for every call, so that a revoked key, a removed member and
// a changed role take effect with the next one.
import { Fault, hashToken, type ManagementKeyId, type PersonId } from "@turnpike/base";
import { accounts, type Db, managementKeys, memberships, persons } from "@turnpike/db";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Membership } from "../member/membership.ts";
import { type Permission, requirePermission, type Scope } from "../member/permissions.ts";
import { isManagementKeyText } from "./management-key-text.ts";

export type AuthenticatedManagementKey = {
  readonly id: ManagementKeyId;
  readonly name: string;
  readonly permissions: readonly string[];
  /** With the role of the person for whom the key acts. */
  readonly account: Membership;
  readonly person: { readonly id: PersonId; readonly email: string };
};

/**
 * Throws `invalid_api_key` for a key that is malformed, unknown, revoked, or whose creator left the account;
 * `key_expired`; `account_suspended`.
 */
export async function authenticateManagementKey(
  db: Db,
  presented: string,
): Promise<AuthenticatedManagementKey> {
  if (!isManagementKeyText(presented)) throw invalid();
  const [found] = await db
    .select({
      id: managementKeys.id,
      name: managementKeys.name,
      permissions: managementKeys.permissions,
      expiresAt: managementKeys.expiresAt,
      person: { id: persons.id, email: persons.email },
      account: {
        id: accounts.id,
        kind: accounts.kind,
        slug: accounts.slug,
        name: accounts.name,
        role: memberships.role,
        projectIds: memberships.projectIds,
      },
      suspendedAt: accounts.suspendedAt,
    })
    .from(managementKeys)
    .innerJoin(persons, eq(persons.id, managementKeys.createdBy))
    .innerJoin(accounts, eq(accounts.id, managementKeys.accountId))
    .innerJoin(
      memberships,
      and(
        eq(memberships.accountId, managementKeys.accountId),
        eq(memberships.personId, managementKeys.createdBy),
      ),
    )
    .where(and(eq(managementKeys.hash, hashToken(presented)), isNull(managementKeys.revokedAt)));
  if (found === undefined) throw invalid();
  const { expiresAt, suspendedAt, ...key } = found;
  assertNotStopped({ expiresAt, suspendedAt });
  await noteUse(db, key.id);
  return key;
}

type Stops = { readonly expiresAt: Date | null; readonly suspendedAt: Date | null };

function assertNotStopped({ expiresAt, suspendedAt }: Stops): void {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    throw new Fault("key_expired", "This management key has expired. Create a new one.");
  }
  if (suspendedAt !== null) {
    throw new Fault("account_suspended", "This account is suspended. Please contact support.");
  }
}

/**
 * Locks a key until the transaction ends, so that it cannot be revoked meanwhile. Throws what `authenticateManagementKey`
 * throws.
 */
export async function holdManagementKey(tx: Db, id: ManagementKeyId): Promise<void> {
  const [live] = await tx
    .select({ accountId: managementKeys.accountId, expiresAt: managementKeys.expiresAt })
    .from(managementKeys)
    .where(and(eq(managementKeys.id, id), isNull(managementKeys.revokedAt)))
    .for("share");
  if (live === undefined) throw invalid();
  const [account] = await tx
    .select({ suspendedAt: accounts.suspendedAt })
    .from(accounts)
    .where(eq(accounts.id, live.accountId));
  assertNotStopped({ expiresAt: live.expiresAt, suspendedAt: account?.suspendedAt ?? null });
}

/** Once a minute at most. */
async function noteUse(db: Db, id: ManagementKeyId): Promise<void> {
  await db
    .update(managementKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(managementKeys.id, id),
        or(
          isNull(managementKeys.lastUsedAt),
          lt(managementKeys.lastUsedAt, sql`now() - interval '1 minute'`),
        ),
      ),
    );
}

/** Throws `permission_denied` for what the key was not given, or what its creator may no longer do. */
export function requireKeyPermission(
  { permissions, account }: AuthenticatedManagementKey,
  permission: Permission,
): Scope {
  if (permissions.includes(permission)) return requirePermission(account, permission);
  throw new Fault(
    "permission_denied",
    `This management key does not have the permission ${permission}. Create one that has it.`,
    { metadata: { permission } },
  );
}

function invalid(): Fault {
  return new Fault(
    "invalid_api_key",
    "Incorrect management key provided. It begins with sk-tpm- and is created in the console, under Settings.",
  );
}
