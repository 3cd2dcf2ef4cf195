// An invitation that can still be accepted, found by the secret of its mailed link or, for the person who has proven the
// invited address, by its id. A link that does not work says so in the same words whatever the reason.

import { customerNetwork, hashToken, type InvitationId, type PersonId } from "@turnpike/base";
import { accounts, type Db, invitations, memberships, persons } from "@turnpike/db";
import type { Role } from "@turnpike/terms";
import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AccountContext } from "../account-context.ts";
import { findRequirement } from "../domain/find-requirement.ts";
import type { Member } from "../member/actor.ts";
import { type LockedMember, lockMembers } from "../member/membership.ts";
import { tellJoined } from "../member/tell-member.ts";
import { throttle } from "../throttle/throttle.ts";
import { deadLink } from "./dead-link.ts";
import { isPending, isUnexpired, noSuchInvitation, pendingOf } from "./invitation.ts";

export type OpenInvitation = {
  readonly id: InvitationId;
  readonly accountName: string;
  readonly role: Role;
  /** The address it was sent to. */
  readonly email: string;
  readonly inviter: string;
};

export type InvitationView = Omit<OpenInvitation, "id"> & {
  /** The address belongs to someone who can sign in. Told to the holder of the link only, who has its mailbox. */
  readonly hasAccount: boolean;
  /** The id of the provider at which everyone with such an address signs in. */
  readonly requiredProvider: string | null;
  /** The account asks its members for a second factor, at once or soon. */
  readonly requiresFactor: boolean;
};

/** What the holder of the link may see. Changes nothing. Throws `token_expired` and, for links made up, `throttled`. */
export async function queryInvitation(
  db: Db,
  context: AccountContext,
  caller: Pick<Member, "address">,
  token: string,
): Promise<InvitationView> {
  const found = await requireInvitation(db, context, caller, { token });
  const { accountName, role, email, inviter, factorsRequiredFrom } = found;
  return {
    accountName,
    role,
    email,
    inviter,
    hasAccount: await canSignIn(db, email),
    requiredProvider: (await findRequirement(db, email))?.provider ?? null,
    requiresFactor: factorsRequiredFrom !== null,
  };
}

/** Whether the address belongs to someone who has proven it. */
async function canSignIn(db: Db, email: string): Promise<boolean> {
  const proven = await db
    .select({ id: persons.id })
    .from(persons)
    .where(and(eq(persons.email, email), isNotNull(persons.emailVerifiedAt)));
  return proven.length > 0;
}

/** Those to the address that the person has proven, newest first. */
export async function listOwnInvitations(
  db: Db,
  { email }: { readonly email: string },
): Promise<OpenInvitation[]> {
  const found = await selectOpen(db, eq(invitations.email, email));
  return found.map(({ id, accountName, role, email, inviter }) => ({
    id,
    accountName,
    role,
    email,
    inviter,
  }));
}

/** How an invitation is named: by the secret of its link, or by the person to whose proven address it was sent. */
export type InvitationLink =
  | { readonly token: string }
  | { readonly id: InvitationId; readonly email: string };

export type FoundInvitation = OpenInvitation & {
  readonly accountId: Member["account"]["id"];
  readonly slug: string;
  readonly claimedBy: PersonId | null;
  readonly factorsRequiredFrom: Date | null;
};

/** Like `guardToken`, for the links of this table: made-up ones are limited, others never wait. */
export async function requireInvitation(
  db: Db,
  context: AccountContext,
  caller: Pick<Member, "address">,
  link: InvitationLink,
): Promise<FoundInvitation> {
  const found = await findOpen(db, link);
  if (found !== undefined) return found;
  if ("id" in link) throw noSuchInvitation();
  const [known] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(eq(invitations.hash, hashToken(link.token)));
  if (known === undefined) {
    const bucket = `token:address:${customerNetwork(caller.address)}`;
    await throttle(db, context.throttles.tokenPerAddress, bucket);
  }
  throw deadLink();
}

/** Locks the members of its account and reads it again: it may have been revoked or accepted meanwhile. */
export async function holdInvitation(
  tx: Db,
  link: InvitationLink,
  accountId: Member["account"]["id"],
): Promise<{
  readonly invitation: FoundInvitation;
  readonly members: readonly LockedMember[];
}> {
  const members = await lockMembers(tx, accountId);
  const invitation = await findOpen(tx, link);
  if (invitation !== undefined) return { invitation, members };
  throw "id" in link ? noSuchInvitation() : deadLink();
}

async function findOpen(db: Db, link: InvitationLink): Promise<FoundInvitation | undefined> {
  const [found] = await selectOpen(
    db,
    "id" in link
      ? and(eq(invitations.id, link.id), eq(invitations.email, link.email))
      : eq(invitations.hash, hashToken(link.token)),
  );
  return found;
}

function selectOpen(db: Db, which: SQL | undefined) {
  return db
    .select({
      accountId: invitations.accountId,
      id: invitations.id,
      accountName: accounts.name,
      slug: accounts.slug,
      role: invitations.role,
      email: invitations.email,
      inviter: persons.email,
      claimedBy: invitations.claimedBy,
      factorsRequiredFrom: accounts.factorsRequiredFrom,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(persons, eq(persons.id, invitations.invitedBy))
    .where(and(which, isPending, isUnexpired))
    .orderBy(desc(invitations.id));
}

/** Makes the invited person a member and uses the invitation up. Call it under the lock of `holdInvitation`. */
export async function joinAccount(
  tx: Db,
  { accountId, id, role }: Pick<FoundInvitation, "accountId" | "id" | "role">,
  person: { readonly id: PersonId; readonly email: string },
): Promise<void> {
  const personId = person.id;
  const projectIds = sql`(select ${invitations.projectIds} from ${invitations}
    where ${and(eq(invitations.accountId, accountId), eq(invitations.id, id))})`;
  await tx.insert(memberships).values({ accountId, personId, role, projectIds });
  await tx
    .update(invitations)
    .set({ acceptedAt: sql`now()`, acceptedBy: personId })
    .where(pendingOf(accountId, id));
  await tellJoined(tx, accountId, person, role);
}
