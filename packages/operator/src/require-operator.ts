// Only operators with a second factor use the desk, and only verbs of their role.
import { Fault, type PersonId } from "@turnpike/base";
import type { OperatorRole } from "@turnpike/db";
import type { Operator } from "./verb.ts";

type Person = {
  readonly id: PersonId;
  readonly email: string;
  readonly factors: readonly unknown[];
  readonly operatorRole: OperatorRole | null;
};

/** Throws `permission_denied` and `second_factor_required`. */
export function requireOperator(person: Person, roles: readonly OperatorRole[]): Operator {
  const { operatorRole: role } = person;
  if (role === null) {
    throw new Fault("permission_denied", "Only operators of this installation may do this.");
  }
  if (person.factors.length === 0) {
    throw new Fault(
      "second_factor_required",
      "Operators need a second factor. Add one in your settings, under Security.",
    );
  }
  if (!roles.includes(role)) {
    throw new Fault(
      "permission_denied",
      `Your operator role (${role}) does not allow this. It takes ${roles.join(" or ")}.`,
      { metadata: { role, roles } },
    );
  }
  return { role, name: person.email, personId: person.id };
}
