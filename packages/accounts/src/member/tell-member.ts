// Tells the webhook endpoints of an account who was invited, joined, changed role or is gone, in the transaction
// that does it.
import type { AccountId, PersonId } from "@turnpike/base";
import { actorOf, type Db, queueWebhook } from "@turnpike/db";
import type { Role } from "@turnpike/terms";
import { type ActingOperator, auditActorOf, type Member } from "./actor.ts";

type Told = { readonly personId: PersonId; readonly email: string };

export async function tellInvited(
  tx: Db,
  by: Member,
  invited: { readonly email: string; readonly role: Role },
): Promise<void> {
  const { email, role } = invited;
  const data = { email, role, by: actorOf(auditActorOf(by)) };
  await queueWebhook(tx, by.account.id, { type: "member.invited", data });
}

export async function tellJoined(
  tx: Db,
  accountId: AccountId,
  person: { readonly id: PersonId; readonly email: string },
  role: Role,
): Promise<void> {
  const data = { member: { id: person.id, email: person.email }, role };
  await queueWebhook(tx, accountId, { type: "member.joined", data });
}

export async function tellRole(
  tx: Db,
  by: Member,
  target: Told & { readonly role: Role },
  role: Role,
): Promise<void> {
  const member = { id: target.personId, email: target.email };
  const roles = { old_role: target.role, new_role: role };
  const data = { member, ...roles, by: actorOf(auditActorOf(by)) };
  await queueWebhook(tx, by.account.id, { type: "member.role_changed", data });
}

/** Also who left: then `by` is the member. */
export async function tellRemoved(
  tx: Db,
  by: Member | ActingOperator,
  target: Told,
): Promise<void> {
  const member = { id: target.personId, email: target.email };
  const data = { member, by: actorOf(auditActorOf(by)) };
  await queueWebhook(tx, by.account.id, { type: "member.removed", data });
}
