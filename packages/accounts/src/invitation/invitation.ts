// Invitations to join an account: mailed, valid for 7 days, sent again, revoked. Whether the invited address
// belongs to someone is neither asked nor told: the answer and the mail are the same for everyone.

import {
  type AccountId,
  Fault,
  hashToken,
  type InvitationId,
  makeToken,
  newId,
  type ProjectId,
} from "@turnpike/base";
import { type Db, invitations, memberships, persons, recordAudit } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Role } from "@turnpike/terms";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { AccountContext } from "../account-context.ts";
import { auditActorOf, type Member } from "../member/actor.ts";
import { requireGrantable } from "../member/change-members.ts";
import { checkProjectIds } from "../member/member-projects.ts";
import { lockMembers } from "../member/membership.ts";
import { tellInvited } from "../member/tell-member.ts";
import { parseEmail } from "../person/parse-email.ts";
import { hashBucket, throttle } from "../throttle/throttle.ts";

export const invitationDays = 7;
const lifetimeMs = invitationDays * 86_400_000;
export const openInvitationsMax = 200;

export type ListedInvitation = {
  readonly id: InvitationId;
  readonly email: string;
  readonly role: Role;
  /** Null is all. */
  readonly projectIds: readonly ProjectId[] | null;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Who opened the link signed in with another address, and waits to be confirmed. */
  readonly claimedBy: string | null;
};

/** Neither accepted nor revoked; expired ones stay listed, to be sent again. */
export const isPending = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));
export const isUnexpired = gt(invitations.expiresAt, sql`now()`);

/**
 * Mails an invitation. Throws `invalid_value`, `permission_denied` (only an owner makes owners), `conflict` (a
 * member already, or invited already), and `throttled`.
 */
export async function inviteMember(
  db: Db,
  context: AccountContext,
  by: Member,
  input: {
    readonly email: string;
    readonly role: Role;
    /** Default: all. */
    readonly projectIds?: readonly ProjectId[] | null | undefined;
  },
): Promise<InvitationId> {
  const { account } = by;
  assertNotPersonal(by);
  requireGrantable(by, input.role);
  const email = parseEmail(input.email);
  const id = newId<InvitationId>();
  const token = makeToken();
  await throttle(db, context.throttles.invitationPerAccount, `invite:account:${account.id}`);
  await db.transaction(async (tx) => {
    await lockMembers(tx, account.id);
    await assertNotKnown(tx, account.id, email);
    await throttle(tx, context.throttles.invitationPerRecipient, `invite:to:${hashBucket(email)}`);
    await tx.insert(invitations).values({
      accountId: account.id,
      id,
      email,
      role: input.role,
      projectIds: await checkProjectIds(tx, account.id, input.projectIds),
      hash: hashToken(token),
      invitedBy: by.person.id,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    await mailInvitation(tx, context, by, { email, role: input.role, token });
    await recordAudit(tx, {
      accountId: account.id,
      by: auditActorOf(by),
      action: "invitation.create",
      object: { id, name: email },
      changes: { role: [null, input.role] },
    });
    await tellInvited(tx, by, { email, role: input.role });
  });
  return id;
}

/** A new link for 7 more days; the old one stops working. Throws `not_found` and `throttled`. */
export async function resendInvitation(
  db: Db,
  context: AccountContext,
  by: Member,
  id: InvitationId,
): Promise<void> {
  const token = makeToken();
  await throttle(db, context.throttles.invitationPerAccount, `invite:account:${by.account.id}`);
  await db.transaction(async (tx) => {
    const [sent] = await tx
      .update(invitations)
      .set({
        hash: hashToken(token),
        expiresAt: new Date(Date.now() + lifetimeMs),
        invitedBy: by.person.id,
        claimedBy: null,
      })
      .where(pendingOf(by.account.id, id))
      .returning({ email: invitations.email, role: invitations.role });
    if (sent === undefined) throw noSuchInvitation();
    requireGrantable(by, sent.role);
    const to = `invite:to:${hashBucket(sent.email)}`;
    await throttle(tx, context.throttles.invitationPerRecipient, to);
    await mailInvitation(tx, context, by, { ...sent, token });
    await record(tx, by, "invitation.resend", { id, email: sent.email });
  });
}

/** The link stops working at once. Throws `not_found`. */
export async function revokeInvitation(db: Db, by: Member, id: InvitationId): Promise<void> {
  await db.transaction(async (tx) => {
    const [revoked] = await tx
      .update(invitations)
      .set({ revokedAt: sql`now()` })
      .where(pendingOf(by.account.id, id))
      .returning({ email: invitations.email });
    if (revoked === undefined) throw noSuchInvitation();
    await record(tx, by, "invitation.revoke", { id, email: revoked.email });
  });
}

/** The pending ones, newest first. */
export async function listInvitations(db: Db, accountId: AccountId): Promise<ListedInvitation[]> {
  const claimer = alias(persons, "claimer");
  return db
    .select({
      id: invitations.id,
      email: invitations.email,
      role: invitations.role,
      projectIds: invitations.projectIds,
      invitedBy: persons.email,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      claimedBy: claimer.email,
    })
    .from(invitations)
    .innerJoin(persons, eq(persons.id, invitations.invitedBy))
    .leftJoin(claimer, eq(claimer.id, invitations.claimedBy))
    .where(and(eq(invitations.accountId, accountId), isPending))
    .orderBy(desc(invitations.id))
    .limit(openInvitationsMax);
}

export function pendingOf(accountId: AccountId, id: InvitationId) {
  return and(eq(invitations.accountId, accountId), eq(invitations.id, id), isPending);
}

export function noSuchInvitation(): Fault {
  return new Fault("not_found", "There is no such invitation.");
}

function assertNotPersonal({ account }: Member): void {
  if (account.kind === "organization") return;
  throw new Fault(
    "permission_denied",
    "A personal account belongs to one person. Create an organization to work with others.",
  );
}

/** Both are visible to who may invite, so neither answer tells them anything new. */
async function assertNotKnown(tx: Db, accountId: AccountId, email: string): Promise<void> {
  const [member] = await tx
    .select({ id: memberships.personId })
    .from(memberships)
    .innerJoin(persons, eq(persons.id, memberships.personId))
    .where(and(eq(memberships.accountId, accountId), eq(persons.email, email)));
  if (member !== undefined) throw new Fault("conflict", `${email} is a member already.`);
  const pending = await tx
    .select({ email: invitations.email })
    .from(invitations)
    .where(and(eq(invitations.accountId, accountId), isPending))
    .limit(openInvitationsMax);
  if (pending.some((invitation) => invitation.email === email)) {
    throw new Fault("conflict", `${email} is invited already. Send that invitation again instead.`);
  }
  if (pending.length < openInvitationsMax) return;
  throw new Fault(
    "conflict",
    `At most ${openInvitationsMax} invitations can be open. Revoke one first.`,
  );
}

async function mailInvitation(
  tx: Db,
  context: AccountContext,
  by: Member,
  invited: { readonly email: string; readonly role: Role; readonly token: string },
): Promise<void> {
  await queueMail(tx, invited.email, {
    kind: "invitation",
    accountName: by.account.name,
    inviter: by.person.email,
    role: invited.role,
    link: `${context.publicUrl}/join?token=${invited.token}`,
    days: invitationDays,
  });
}

async function record(
  tx: Db,
  by: Member,
  action: string,
  invited: { readonly id: InvitationId; readonly email: string },
): Promise<void> {
  const object = { id: invited.id, name: invited.email };
  await recordAudit(tx, { accountId: by.account.id, by: auditActorOf(by), action, object });
}
