// Signs a person out elsewhere: one session, or all but the one that asks. Effective at once, because
// every request looks its session up.

import { Fault } from "@turnpike/base";
import { type Db, sessions } from "@turnpike/db";
import { and, eq, ne } from "drizzle-orm";
import type { AuthenticatedSession } from "./session.ts";

/** Throws `not_found`, also for the session of another person. */
export async function endSession(
  db: Db,
  { person }: AuthenticatedSession,
  publicId: string,
): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.publicId, publicId), eq(sessions.personId, person.id)))
    .returning({ id: sessions.publicId });
  if (ended.length === 0) throw new Fault("not_found", "There is no such session.");
}

export async function endOtherSessions(
  db: Db,
  { person, session }: AuthenticatedSession,
): Promise<{ readonly ended: number }> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.personId, person.id), ne(sessions.publicId, session.publicId)))
    .returning({ id: sessions.publicId });
  return { ended: ended.length };
}
