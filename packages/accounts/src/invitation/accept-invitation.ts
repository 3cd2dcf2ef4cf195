// Accepting an invitation: with the invited address at once, with another one after a member who may invite
// has confirmed it.

import { Fault, type InvitationId } from "@turnpike/base";
import { type Db, invitations, persons, recordAudit } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq } from "drizzle-orm";
import type { AccountContext } from "../account-context.ts";
import { auditActorOf, type Member } from "../member/actor.ts";
import { requireGrantable } from "../member/change-members.ts";
import { lockMembers } from "../member/membership.ts";
import { holdActor, holdPerson } from "../person/hold-person.ts";
import { throttle } from "../throttle/throttle.ts";
import { isUnexpired, noSuchInvitation, pendingOf } from "./invitation.ts";
import {
  type FoundInvitation,
  holdInvitation,
  joinAccount,
  requireInvitation,
} from "./open-invitation.ts";

export type Accepted = {
  /** False if the person signs in with another address than the invited one: a member must confirm them. */
  readonly joined: boolean;
  readonly accountName: string;
  readonly slug: string;
};

/** Throws `token_expired` or `not_found`, `throttled`, and `conflict` (a member already). */
export async function acceptInvitation(
  db: Db,
  context: AccountContext,
  caller: Pick<Member, "address">,
  by: Omit<Member, "account">,
  link: { readonly token: string } | { readonly id: InvitationId },
): Promise<Accepted> {
  const named = "id" in link ? { id: link.id, email: by.person.email } : link;
  const { accountId, id, accountName, slug } = await requireInvitation(db, context, caller, named);
  return db.transaction(async (tx) => {
    const { invitation, members } = await holdInvitation(tx, named, accountId);
    await holdActor(tx, by);
    if (members.some((member) => member.personId === by.person.id)) {
      throw new Fault("conflict", `You are a member of ${accountName} already.`);
    }
    if (invitation.email === by.person.email) {
      await joinAccount(tx, invitation, by.person);
      await recordJoin(tx, invitation, by);
      return { joined: true, accountName, slug };
    }
    const answer = { joined: false, accountName, slug };
    if (invitation.claimedBy === by.person.id) return answer;
    // Others who have the link could claim it in turns, with a mail to the inviter each time.
    await throttle(tx, context.throttles.invitationPerRecipient, `invite:claim:${id}`);
    await tx.update(invitations).set({ claimedBy: by.person.id }).where(pendingOf(accountId, id));
    await queueMail(tx, invitation.inviter, {
      kind: "invitation_claimed",
      accountName,
      invited: invitation.email,
      claimer: by.person.email,
      link: `${context.publicUrl}/a/${slug}/settings/members`,
    });
    return answer;
  });
}

/** In the audit log of the account: by the person who joined. */
export async function recordJoin(
  tx: Db,
  { accountId, role }: Pick<FoundInvitation, "accountId" | "role">,
  by: Omit<Member, "account">,
): Promise<void> {
  await recordAudit(tx, {
    accountId,
    by: auditActorOf(by),
    action: "member.join",
    object: { id: by.person.id, name: by.person.email },
    changes: { role: [null, role] },
  });
}

/**
 * Lets the person join who opened the link with another address. `email` is the address the confirming
 * member saw: another person may have claimed it since. Throws `not_found` and `conflict`.
 */
export async function confirmClaim(
  db: Db,
  context: AccountContext,
  by: Member,
  input: { readonly id: InvitationId; readonly email: string },
): Promise<void> {
  const { account } = by;
  await db.transaction(async (tx) => {
    const members = await lockMembers(tx, account.id);
    const claim = await findClaim(tx, account.id, input);
    await holdPerson(tx, claim.personId);
    requireGrantable(by, claim.role);
    if (members.some((member) => member.personId === claim.personId)) {
      throw new Fault("conflict", `${claim.email} is a member already.`);
    }
    const joining = { id: claim.personId, email: claim.email };
    await joinAccount(tx, { accountId: account.id, id: input.id, role: claim.role }, joining);
    await queueMail(tx, claim.email, {
      kind: "joined_account",
      accountName: account.name,
      role: claim.role,
      link: `${context.publicUrl}/a/${account.slug}`,
    });
    await recordAudit(tx, {
      accountId: account.id,
      by: auditActorOf(by),
      action: "member.confirm",
      object: { id: claim.personId, name: claim.email },
      changes: { role: [null, claim.role] },
    });
  });
}

async function findClaim(
  tx: Db,
  accountId: Member["account"]["id"],
  { id, email }: { readonly id: InvitationId; readonly email: string },
) {
  const [claim] = await tx
    .select({ role: invitations.role, personId: persons.id, email: persons.email })
    .from(invitations)
    .innerJoin(persons, eq(persons.id, invitations.claimedBy))
    .where(and(pendingOf(accountId, id), isUnexpired));
  if (claim === undefined || claim.email !== email) throw noSuchInvitation();
  return claim;
}
