// Logs a person in: the right password of a verified address opens a new session, or asks for a second
// factor. A wrong password and an unknown address get the same answer after the same time.

import { parseEmail } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { type FoundPerson, findPersonByEmail, lockUnchanged } from "../person/find-person.ts";
import { countLogin } from "../throttle/login-attempts.ts";
import { forgetGuesses } from "../throttle/slow-guessing.ts";
import { admit, type SignedIn } from "./open-session.ts";

/** Throws `wrong_credentials`, `email_not_verified`, `throttled`, `overloaded`, `invalid_value`. */
export async function logIn(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const email = parseEmail(input.email);
  const attempts = await countLogin(db, auth, caller, email);
  const person = await findPersonByEmail(db, email);
  const { right, outdated } = await auth.passwords.verify(
    input.password,
    person?.passwordHash ?? null,
  );
  if (person === undefined || !right) throw wrongCredentials();
  await forgetGuesses(db, attempts);
  if (person.emailVerifiedAt === null) {
    throw new Fault("email_not_verified", "Verify your email to sign in.");
  }
  if (outdated) await renewHash(db, auth, person, input.password);
  return admitUnchanged(db, auth, caller, person);
}

/** The hash is replaced only if it is still the one that was verified. */
async function renewHash(
  db: Db,
  auth: Auth,
  { id, passwordHash }: FoundPerson,
  password: string,
): Promise<void> {
  if (passwordHash === null) return;
  const renewed = await auth.passwords.hash(password);
  await db
    .update(persons)
    .set({ passwordHash: renewed })
    .where(and(eq(persons.id, id), eq(persons.passwordHash, passwordHash)));
}

/** Refuses where the password or the address was changed while the password was being verified. */
function admitUnchanged(
  db: Db,
  auth: Auth,
  caller: Caller,
  person: FoundPerson,
): Promise<SignedIn> {
  return db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, person))) throw wrongCredentials();
    return admit(tx, auth, caller, person);
  });
}

function wrongCredentials(): Fault {
  return new Fault("wrong_credentials", "Incorrect email or password.");
}
