// Only operators with a second factor use the desk, and only verbs of their role, which is checked when their request
// begins and again when they act.
import { holdSession } from "@turnpike/accounts";
import { Fault, type PersonId } from "@turnpike/base";
import { type Db, type OperatorRole, operators } from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
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

/**
 * Commands of operators run one at a time, so that no operator loses their role in the middle of one. Take it before any
 * other lock, or two of them could deadlock.
 */
export async function lockOperators(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('desk actions', 0))`);
}

/**
 * The same in a transaction: operators do not change until it ends. Call it first in the transaction. Also throws
 * `unauthenticated` for a session that has ended.
 */
export async function holdOperator(
  tx: Db,
  { person, session }: { readonly person: Person; readonly session: { readonly publicId: string } },
  roles: readonly OperatorRole[],
): Promise<void> {
  await lockOperators(tx);
  await holdSession(tx, person.id, session.publicId);
  const [found] = await tx
    .select({ role: operators.role })
    .from(operators)
    .where(eq(operators.personId, person.id));
  requireOperator({ ...person, operatorRole: found?.role ?? null }, roles);
}
