// Accepting an invitation: with the invited address at once, with another one after a member who may invite
// has confirmed it. A link that does not work says so in the same words whatever the reason.
import { customerNetwork, Fault, type InvitationId, type PersonId } from "@turnpike/base";
import {
  accounts,
  type Db,
  invitations,
  memberships,
  persons,
  type Role,
  recordAudit,
} from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { deadLink } from "../email-link/email-token.ts";
import { hashToken } from "../hash-token.ts";
import { holdActor, holdPerson } from "../person/hold-person.ts";
import { throttle } from "../throttle/throttle.ts";
import { auditActorOf, type Member } from "./actor.ts";
import { requireGrantable } from "./change-members.ts";
import { isPending, isUnexpired, noSuchInvitation, pendingOf } from "./invitation.ts";
import { lockMembers } from "./membership.ts";
import { tellJoined } from "./tell-member.ts";

export type OpenInvitation = {
  readonly accountName: string;
  readonly role: Role;
  /** The address it was sent to. */
  readonly email: string;
  readonly inviter: string;
};

/** What the holder of the link may see. Throws `token_expired` and, for links made up, `throttled`. */
export async function readInvitation(
  db: Db,
  auth: Auth,
  caller: Caller,
  token: string,
): Promise<OpenInvitation> {
  const { accountName, role, email, inviter } = await requireOpen(db, auth, caller, token);
  return { accountName, role, email, inviter };
}

export type Accepted = {
  /** False if the person signs in with another address than the invited one: a member must confirm them. */
  readonly joined: boolean;
  readonly accountName: string;
  readonly slug: string;
};

/** Throws `token_expired`, `throttled`, and `conflict` (a member already). */
export async function acceptInvitation(
  db: Db,
  auth: Auth,
  caller: Caller,
  by: Omit<Member, "account">,
  token: string,
): Promise<Accepted> {
  const { accountId, id, accountName, slug } = await requireOpen(db, auth, caller, token);
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    await holdActor(tx, by);
    if (members.some((member) => member.personId === by.person.id)) {
      throw new Fault("conflict", `You are a member of ${accountName} already.`);
    }
    // Read again under the lock: it may have been revoked or accepted meanwhile.
    const now = await findOpen(tx, token);
    if (now === undefined) throw deadLink();
    if (now.email === by.person.email) {
      await join(tx, now, by.person);
      const object = { id: by.person.id, name: by.person.email };
      const changes = { role: [null, now.role] } as const;
      const action = "member.join";
      await recordAudit(tx, { accountId, by: auditActorOf(by), action, object, changes });
      return { joined: true, accountName, slug };
    }
    const answer = { joined: false, accountName, slug };
    if (now.claimedBy === by.person.id) return answer;
    // Others who have the link could claim it in turns, with a mail to the inviter each time.
    await throttle(tx, auth.throttles.invitationPerRecipient, `invite:claim:${id}`);
    await tx.update(invitations).set({ claimedBy: by.person.id }).where(pendingOf(accountId, id));
    await queueMail(tx, now.inviter, {
      kind: "invitation_claimed",
      accountName,
      invited: now.email,
      claimer: by.person.email,
      link: `${auth.publicUrl}/a/${slug}/settings/members`,
    });
    return answer;
  });
}

/**
 * Lets the person join who opened the link with another address. `email` is the address the confirming
 * member saw: another person may have claimed it since. Throws `not_found` and `conflict`.
 */
export async function confirmClaim(
  db: Db,
  auth: Auth,
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
    await join(tx, { accountId: account.id, id: input.id, role: claim.role }, joining);
    await queueMail(tx, claim.email, {
      kind: "joined_account",
      accountName: account.name,
      role: claim.role,
      link: `${auth.publicUrl}/a/${account.slug}`,
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

type Found = OpenInvitation & {
  readonly accountId: Member["account"]["id"];
  readonly id: InvitationId;
  readonly slug: string;
  readonly claimedBy: PersonId | null;
};

/** Like `guardToken`, for the links of this table: made-up ones are limited, others never wait. */
async function requireOpen(db: Db, auth: Auth, caller: Caller, token: string): Promise<Found> {
  const found = await findOpen(db, token);
  if (found !== undefined) return found;
  const [known] = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(eq(invitations.hash, hashToken(token)));
  if (known === undefined) {
    const bucket = `token:address:${customerNetwork(caller.address)}`;
    await throttle(db, auth.throttles.tokenPerAddress, bucket);
  }
  throw deadLink();
}

async function findOpen(db: Db, token: string): Promise<Found | undefined> {
  const [found] = await db
    .select({
      accountId: invitations.accountId,
      id: invitations.id,
      accountName: accounts.name,
      slug: accounts.slug,
      role: invitations.role,
      email: invitations.email,
      inviter: persons.email,
      claimedBy: invitations.claimedBy,
    })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(persons, eq(persons.id, invitations.invitedBy))
    .where(and(eq(invitations.hash, hashToken(token)), isPending, isUnexpired));
  return found;
}

async function join(
  tx: Db,
  { accountId, id, role }: Pick<Found, "accountId" | "id" | "role">,
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
