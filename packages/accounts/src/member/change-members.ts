// Who belongs to an account and in which role: listed, changed, removed, left. The
// account's lock is held while members change, and a trigger refuses to commit an account without an owner.
import { type AccountId, Fault, type PersonId, type ProjectId } from "@turnpike/base";
import { type Db, invitations, memberships, persons, recordAudit } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Role } from "@turnpike/terms";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import {
  grantablePermissions,
  revokeManagementKeysOfMember,
} from "../management/management-keys.ts";
import { type ActingOperator, auditActorOf, type Member, nameActor } from "./actor.ts";
import { type LockedMember, lockMembers } from "./membership.ts";
import { scopeOf } from "./permissions.ts";
import { tellRemoved, tellRole } from "./tell-member.ts";

export type ListedMember = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null is all. */
  readonly projectIds: readonly ProjectId[] | null;
  readonly joinedAt: Date;
  /** Was offered to become an owner and has not answered. */
  readonly isOfferedOwnership: boolean;
};

/** Oldest first. */
export async function listMembers(db: Db, accountId: AccountId): Promise<ListedMember[]> {
  return db
    .select({
      id: persons.id,
      email: persons.email,
      name: persons.name,
      role: memberships.role,
      projectIds: memberships.projectIds,
      joinedAt: memberships.createdAt,
      isOfferedOwnership: sql<boolean>`${memberships.ownershipOfferedBy} is not null`,
    })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(eq(memberships.accountId, accountId))
    .orderBy(asc(memberships.createdAt), asc(persons.id));
}

/**
 * Throws `permission_denied`: nobody is made an owner without their consent, and a management key makes nobody a member
 * who could do more than the key itself.
 */
export function requireGrantable(by: Member, role: Role): void {
  if (role === "owner") {
    throw new Fault(
      "permission_denied",
      `Ownership of ${by.account.name} is offered to a member, who has to accept it.`,
      { param: "role" },
    );
  }
  assertWithinKey(by, role, {
    param: "role",
    what: `This management key gives nobody the role ${role}`,
  });
}

/** Throws `permission_denied` for a management key without a permission that the role has. */
export function assertWithinKey(
  { managementKey: key }: Member,
  role: Role,
  { param, what }: { readonly param: string; readonly what: string },
): void {
  if (key === undefined) return;
  const lacking = grantablePermissions.find(
    (permission) =>
      scopeOf(role, permission) !== undefined && !key.permissions.includes(permission),
  );
  if (lacking === undefined) return;
  throw new Fault(
    "permission_denied",
    `${what}: the role ${role} has the permission ${lacking}, and the key does not have it.`,
    { param, metadata: { permission: lacking, role } },
  );
}

/** Throws `not_found`, `permission_denied` (an owner's role, by an admin) and `conflict` (the last owner). */
export async function changeRole(
  db: Db,
  by: Member,
  input: { readonly personId: PersonId; readonly role: Role },
): Promise<void> {
  requireGrantable(by, input.role);
  await db.transaction(async (tx) => {
    const { target, members } = await lockTarget(tx, by, input.personId);
    assertNotLastOwner(members, input.personId);
    await tx
      .update(memberships)
      .set({ role: input.role, ownershipOfferedBy: null })
      .where(membershipOf(by.account.id, input.personId));
    // Otherwise they would still bring in people with more rights than they have themselves.
    if (scopeOf(input.role, "members.change") === undefined) {
      await voidInvitations(tx, by.account.id, input.personId);
    }
    await recordMember(tx, by, "member.change_role", target, { role: [target.role, input.role] });
    await tellRole(tx, by, target, input.role);
  });
}

/** What happens to the keys a member made; `hand_over` makes them the remover's. */
export const keyFates = ["revoke", "keep", "hand_over"] as const;
export type KeyFate = (typeof keyFates)[number];

/** Settles the keys of a removed member, in the transaction that removes them. */
export type SettleKeys = (tx: Db, accountId: AccountId, personId: PersonId) => Promise<unknown>;

/**
 * Ends a membership: the person's next request in the account is refused, and the invitations they sent stop
 * working. Throws what `changeRole` throws.
 */
export async function removeMember(
  db: Db,
  by: Member | ActingOperator,
  input: { readonly personId: PersonId; readonly keys: KeyFate },
  settleKeys: SettleKeys,
): Promise<void> {
  const { account } = by;
  await db.transaction(async (tx) => {
    const { target, members } = await lockTarget(tx, by, input.personId);
    assertNotLastOwner(members, input.personId);
    await endMembership(tx, account.id, input.personId);
    await settleKeys(tx, account.id, input.personId);
    await recordMember(tx, by, "member.remove", target, { keys: [null, input.keys] });
    await tellRemoved(tx, by, target);
    await queueMail(tx, target.email, {
      kind: "removed_from_account",
      accountName: account.name,
      by: nameActor(by),
    });
  });
}

/** The keys they made stay with the account. Throws `conflict` for the last owner and a personal account. */
export async function leaveAccount(db: Db, by: Member): Promise<void> {
  if (by.account.kind === "personal") {
    throw new Fault("conflict", "A personal account cannot be left.");
  }
  await db.transaction(async (tx) => {
    const { target, members } = await lockTarget(tx, by, by.person.id);
    assertNotLastOwner(members, by.person.id);
    await endMembership(tx, by.account.id, by.person.id);
    await recordMember(tx, by, "member.leave", target, { role: [target.role, null] });
    await tellRemoved(tx, by, target);
  });
}

export type Target = LockedMember & { readonly email: string };

/** Locks the members. Throws `not_found`, `permission_denied` and `conflict` if they may not be touched. */
export async function lockTarget(
  tx: Db,
  by: Member | ActingOperator,
  personId: PersonId,
): Promise<{ readonly target: Target; readonly members: readonly LockedMember[] }> {
  const members = await lockMembers(tx, by.account.id);
  const found = members.find((member) => member.personId === personId);
  const [person] = await tx
    .select({ email: persons.email })
    .from(persons)
    .where(eq(persons.id, personId));
  if (found === undefined || person === undefined) throw noSuchMember();
  if (!("operator" in by)) {
    // Who acts may have been removed since their request began.
    const acting = members.find((member) => member.personId === by.person.id);
    if (acting === undefined) throw noSuchMember();
    if (found.role === "owner" && acting.role !== "owner") {
      throw new Fault("permission_denied", "Only an owner can change or remove an owner.");
    }
  }
  return { target: { ...found, email: person.email }, members };
}

export async function endMembership(
  tx: Db,
  accountId: AccountId,
  personId: PersonId,
): Promise<void> {
  await tx.delete(memberships).where(membershipOf(accountId, personId));
  await revokeManagementKeysOfMember(tx, accountId, personId);
  await voidInvitations(tx, accountId, personId);
}

/** Those that the member sent. */
async function voidInvitations(tx: Db, accountId: AccountId, personId: PersonId): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(invitations.accountId, accountId),
        eq(invitations.invitedBy, personId),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    );
}

export async function recordMember(
  tx: Db,
  by: Member | ActingOperator,
  action: string,
  target: Target,
  changes?: Parameters<typeof recordAudit>[1]["changes"],
): Promise<void> {
  await recordAudit(tx, {
    accountId: by.account.id,
    by: auditActorOf(by),
    action,
    object: { id: target.personId, name: target.email },
    ...(changes !== undefined && { changes }),
  });
}

export function membershipOf(accountId: AccountId, personId: PersonId) {
  return and(eq(memberships.accountId, accountId), eq(memberships.personId, personId));
}

function noSuchMember(): Fault {
  return new Fault("not_found", "There is no such member.");
}

function assertNotLastOwner(members: readonly LockedMember[], personId: PersonId): void {
  const owners = members.filter((member) => member.role === "owner");
  if (owners.length > 1 || owners[0]?.personId !== personId) return;
  throw new Fault(
    "conflict",
    "An account needs an owner. Offer the ownership to another member first, or delete the account.",
  );
}
