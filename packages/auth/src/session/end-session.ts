// Ends sessions: the caller's own, another one of the same person, all others, or all of them. Effective immediately,
// because every request looks up its session.

import { lockPerson } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, factorChallenges, sessions } from "@turnpike/db";
import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import type { SignedIn } from "./open-session.ts";
import type { AuthenticatedSession } from "./session.ts";

type Client = Pick<Caller, "address" | "userAgent">;
type SignedInCaller = Caller & { readonly authenticated: AuthenticatedSession };

/** Ends the caller's own session; without one it only removes the cookie. */
export async function logOut(
  db: Db,
  auth: Auth,
  caller: Caller & { readonly authenticated: AuthenticatedSession | undefined },
): Promise<SignedIn> {
  const { authenticated } = caller;
  if (authenticated !== undefined) {
    const { person, session } = authenticated;
    await endSessions(db, caller, { person, kind: "sign_out" }, is(session.publicId));
  }
  return { setCookies: [await auth.sessions.close(undefined)] };
}

/** Throws `not_found`, also for the session of another person. */
export async function endSession(db: Db, caller: SignedInCaller, publicId: string): Promise<void> {
  const { person } = caller.authenticated;
  const ended = await endSessions(db, caller, { person, kind: "session_end" }, is(publicId));
  if (ended === 0) throw new Fault("not_found", "There is no such session.");
}

export async function endOtherSessions(
  db: Db,
  caller: SignedInCaller,
): Promise<{ readonly ended: number }> {
  const { person, session } = caller.authenticated;
  const others = ne(sessions.publicId, session.publicId);
  return { ended: await endSessions(db, caller, { person, kind: "sessions_end" }, others) };
}

/** Everywhere, here too; a sign-in that only lacks its second factor begins again. */
export async function endAllSessions(
  db: Db,
  auth: Auth,
  caller: SignedInCaller,
): Promise<SignedIn & { readonly ended: number }> {
  const { person } = caller.authenticated;
  const ended = await db.transaction((tx) => endSessionsOf(tx, person, caller));
  return { ended, setCookies: [await auth.sessions.close(undefined)] };
}

/** All of a person. Call it in a transaction. Returns how many ended. */
export async function endSessionsOf(
  tx: Db,
  person: Ending["person"],
  client: Client,
): Promise<number> {
  const ended = await endSessions(tx, client, { person, kind: "sessions_end" }, sql`true`);
  // Under the person's lock, which is held until the transaction ends.
  await tx.delete(factorChallenges).where(eq(factorChallenges.personId, person.id));
  return ended;
}

type Ending = {
  readonly person: Pick<AuthenticatedSession["person"], "id">;
  readonly kind: "sign_out" | "session_end" | "sessions_end";
};

/** Returns how many ended; if any did, the person sees it in their log. */
function endSessions(
  db: Db,
  caller: Client,
  { person, kind }: Ending,
  which: SQL,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.personId, person.id), which))
      .returning({ id: sessions.publicId });
    if (ended.length > 0) await recordPersonEvent(tx, person.id, kind, caller);
    return ended.length;
  });
}

function is(publicId: string): SQL {
  return eq(sessions.publicId, publicId);
}
