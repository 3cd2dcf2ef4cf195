// The person behind an e-mail address, with what sign-in needs to know about them.

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

/** `email` as `readEmail` returns it. */
export async function findPersonByEmail(db: Db, email: string): Promise<FoundPerson | undefined> {
  const [found] = await db.select(selection).from(persons).where(eq(persons.email, email));
  return found;
}

export async function findPersonById(db: Db, id: PersonId): Promise<FoundPerson | undefined> {
  const [found] = await db.select(selection).from(persons).where(eq(persons.id, id));
  return found;
}
