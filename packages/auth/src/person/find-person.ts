// The person behind an email address, with what sign-in needs to know about them.

import type { PersonId } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { eq } from "drizzle-orm";

export type FoundPerson = {
  readonly id: PersonId;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly emailVerifiedAt: Date | null;
  readonly passwordChangedAt: Date | null;
};

const selection = {
  id: persons.id,
  email: persons.email,
  passwordHash: persons.passwordHash,
  emailVerifiedAt: persons.emailVerifiedAt,
  passwordChangedAt: persons.passwordChangedAt,
};

/** `email` as `parseEmail` returns it. */
export async function findPersonByEmail(db: Db, email: string): Promise<FoundPerson | undefined> {
  const [found] = await db.select(selection).from(persons).where(eq(persons.email, email));
  return found;
}

/**
 * Locks the person. False where their address or password was changed since `person` was read. Call it in the
 * transaction that acts on what was verified then: whatever ends sessions and links takes the same lock.
 */
export async function lockUnchanged(db: Db, person: FoundPerson): Promise<boolean> {
  const [now] = await db
    .select({ email: persons.email, passwordChangedAt: persons.passwordChangedAt })
    .from(persons)
    .where(eq(persons.id, person.id))
    .for("update");
  return (
    now?.email === person.email &&
    now.passwordChangedAt?.getTime() === person.passwordChangedAt?.getTime()
  );
}

export async function findPersonById(db: Db, id: PersonId): Promise<FoundPerson | undefined> {
  const [found] = await db.select(selection).from(persons).where(eq(persons.id, id));
  return found;
}
