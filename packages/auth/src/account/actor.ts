// A member who acts in an account: what the functions of this folder need to know of them.

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

export type ActingKey = {
  readonly id: ManagementKeyId;
  readonly name: string;
  readonly permissions: readonly string[];
};

/** As the audit log names them. */
export function auditActorOf({
  person,
  address,
  managementKey: key,
}: Omit<Member, "account">): AuditActor {
  if (key !== undefined) {
    return { kind: "management_key", id: key.id, name: key.name, address };
  }
  return { kind: "person", id: person.id, email: person.email, address };
}
