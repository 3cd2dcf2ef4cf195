// A member who acts in an account: what the functions of this folder need to know of them.

import type { PersonId } from "@turnpike/base";
import type { AuditActor } from "@turnpike/db";
import type { Membership } from "./membership.ts";

export type Member = {
  readonly account: Membership;
  readonly person: { readonly id: PersonId; readonly email: string };
  /** The client's address. */
  readonly address: string;
};

/** As the audit log names them. */
export function auditActorOf({ person, address }: Pick<Member, "person" | "address">): AuditActor {
  return { kind: "person", id: person.id, email: person.email, address };
}
