// Holds the row of a person, so that they are not deleted while something is stored that names them, and not signed out
// while they act.

import { Fault, type PersonId } from "@turnpike/base";
import { type Db, persons, sessions } from "@turnpike/db";
import { and, eq, gt, isNull, sql } from "drizzle-orm";

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

/** Holds a person who acts, with their session if they signed in. Throws `unauthenticated`. */
export function holdActor(
  tx: Db,
  {
    person,
    sessionId,
  }: { readonly person: { readonly id: PersonId }; readonly sessionId?: string | undefined },
): Promise<void> {
  return sessionId === undefined
    ? holdPerson(tx, person.id)
    : holdSession(tx, person.id, sessionId);
}

/**
 * Holds the session of who acts, so that it does not end before they have acted: what ends all sessions of a person
 * locks the person first. `publicId` names the session. Throws `unauthenticated` for one that has ended.
 */
export async function holdSession(tx: Db, personId: PersonId, publicId: string): Promise<void> {
  await tx.select({ id: persons.id }).from(persons).where(eq(persons.id, personId)).for("share");
  const open = await tx
    .select({ publicId: sessions.publicId })
    .from(sessions)
    .where(
      and(
        eq(sessions.publicId, publicId),
        eq(sessions.personId, personId),
        gt(sessions.expiresAt, sql`now()`),
      ),
    );
  if (open.length === 0) throw noSession();
}

/**
 * Locks the person, as everything does that opens sessions of theirs or ends them: one comes after the other, and a
 * change that is made in a session comes before its end.
 */
export async function lockPerson(tx: Db, id: PersonId): Promise<void> {
  await tx.select({ id: persons.id }).from(persons).where(eq(persons.id, id)).for("update");
}

export function noSession(): Fault {
  return new Fault("unauthenticated", "Sign in to continue.");
}
