// Locks the row of a person, so that they are not deleted while something that names them is stored, and not signed out
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
 * Keeps a person's session from ending before the transaction does: whatever ends sessions locks the person first.
 * `publicId` names the session. Throws `unauthenticated` for one that has ended.
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
 * Locks the person until the transaction ends. Everything that opens or ends sessions of theirs does so first: one comes
 * after the other, and a session ends only after the changes that are being made in it.
 */
export async function lockPerson(tx: Db, id: PersonId): Promise<void> {
  await tx.select({ id: persons.id }).from(persons).where(eq(persons.id, id)).for("update");
}

export function noSession(): Fault {
  return new Fault("unauthenticated", "Sign in to continue.");
}
