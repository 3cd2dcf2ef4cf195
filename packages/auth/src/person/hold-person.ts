// Holds the row of a person, so that they are not deleted while something is stored that names them.

import { Fault, type PersonId } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { and, eq, isNull } from "drizzle-orm";

/**
 * Throws `unauthenticated` for someone who was deleted since their request began. Call it after an account is
 * locked: the deletion locks in that order.
 */
export async function holdPerson(tx: Db, id: PersonId): Promise<void> {
  const held = await tx
    .select({ id: persons.id })
    .from(persons)
    .where(and(eq(persons.id, id), isNull(persons.deletedAt)))
    .for("key share");
  if (held.length === 0) throw noSession();
}

export function noSession(): Fault {
  return new Fault("unauthenticated", "Sign in to continue.");
}
