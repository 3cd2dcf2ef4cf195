// Who acts in an account: a member, or an operator, who belongs to no account for it. What the functions of this folder
// need to know of them.

import type { ManagementKeyId, PersonId } from "@turnpike/base";
import type { AuditActor } from "@turnpike/db";
import type { Membership } from "./membership.ts";

export type Member = {
  readonly account: Membership;
  readonly person: { readonly id: PersonId; readonly email: string };
  /** The client's address. */
  readonly address: string;
  /** Public id of the session of a member who signed in. */
  readonly sessionId?: string | undefined;
  /** The key by which the member acts; absent for a member who signed in. */
  readonly managementKey?: ActingKey | undefined;
};

/** Their rights were checked at the desk: no role in the account decides about them. */
export type ActingOperator = {
  readonly account: Pick<Membership, "id" | "kind" | "name">;
  readonly operator: Extract<AuditActor, { kind: "operator" }>;
};

export type ActingKey = {
  readonly id: ManagementKeyId;
  readonly name: string;
  readonly permissions: readonly string[];
};

/** As the audit log names them. */
export function auditActorOf(
  by: Omit<Member, "account"> | Pick<ActingOperator, "operator">,
): AuditActor {
  if ("operator" in by) return by.operator;
  const { person, address, managementKey: key } = by;
  if (key !== undefined) {
    return { kind: "management_key", id: key.id, name: key.name, address };
  }
  return { kind: "person", id: person.id, email: person.email, address };
}

/** As mails to its members name them: operators are not named to customers. */
export function nameActor(by: Member | ActingOperator): string {
  return "operator" in by ? "Support" : by.person.email;
}
