// Verifies the password of a person who is already signed in. Wrong passwords are counted per session: a
// stolen session cannot guess faster than at sign-in, and guesses elsewhere do not count here.

import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth } from "../auth.ts";
import { type FoundPerson, findPersonById } from "../person/find-person.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { sessionAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";

/** The session and its owner. */
export type SessionOwner = Pick<AuthenticatedSession, "person" | "session">;

/** Throws `wrong_credentials` with `param`, `throttled`, `overloaded`. */
export async function confirmPassword(
  db: Db,
  auth: Auth,
  owner: SessionOwner,
  input: { readonly password: string; readonly param: string },
): Promise<FoundPerson> {
  const person = await findPersonById(db, owner.person.id);
  if (person === undefined) throw new Fault("unauthenticated", "Sign in to continue.");
  const attempts = sessionAttempts(owner);
  await countGuess(db, auth.throttles.loginPerPerson, attempts);
  const { right } = await auth.passwords.verify(input.password, person.passwordHash);
  if (!right) {
    throw new Fault("wrong_credentials", "This is not your password.", { param: input.param });
  }
  await forgetGuesses(db, attempts);
  return person;
}
