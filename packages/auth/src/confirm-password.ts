// Asks a person who is signed in for their password again. A stolen session cannot guess faster here
// than at the door.

import { Fault, type PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth } from "./auth.ts";
import { type FoundPerson, findPersonById } from "./find-person.ts";
import { guessBucket } from "./guess-bucket.ts";
import type { IdentifiedSession } from "./session.ts";
import { countGuess, forgetGuesses } from "./slow-guessing.ts";

/** Throws `wrong_credentials` with `param`, `throttled`, `overloaded`. */
export async function confirmPassword(
  db: Db,
  auth: Auth,
  given: { readonly personId: PersonId; readonly password: string; readonly param: string },
): Promise<FoundPerson> {
  const person = await findPersonById(db, given.personId);
  if (person === undefined) throw new Fault("unauthenticated", "Sign in to continue.");
  const bucket = guessBucket(person.email);
  await countGuess(db, auth.throttles.loginPerPerson, bucket);
  const { right } = await auth.passwords.verify(given.password, person.passwordHash);
  if (!right) {
    throw new Fault("wrong_credentials", "This is not your password.", { param: given.param });
  }
  await forgetGuesses(db, bucket);
  return person;
}

const recentMs = 10 * 60_000;

/** Throws `step_up_required` unless the password was given within the last 10 minutes. */
export function requireRecentPassword({ session }: IdentifiedSession): void {
  if (Date.now() - session.passwordAt.getTime() <= recentMs) return;
  throw new Fault("step_up_required", "Enter your password again to do this.");
}
