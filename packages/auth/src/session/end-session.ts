// Ends sessions: the caller's own, another one of the same person, or all others. Effective immediately,
// because every request looks up its session.

import { Fault } from "@turnpike/base";
import { type Db, sessions } from "@turnpike/db";
import { and, eq, ne } from "drizzle-orm";
import type { Auth } from "../auth.ts";
import type { SignedIn } from "./open-session.ts";
import type { AuthenticatedSession } from "./session.ts";

/** Ends the caller's own session; without one it only removes the cookie. */
export async function logOut(
  auth: Auth,
  authenticated: AuthenticatedSession | undefined,
): Promise<SignedIn> {
  return { setCookies: [await auth.sessions.close(authenticated?.session.token)] };
}

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
