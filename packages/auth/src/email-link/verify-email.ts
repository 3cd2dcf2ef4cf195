// Proves an address by the link that was mailed to it and the password it was registered with, the browser that
// registered it, or a new password: otherwise the person who registered somebody else's address would share the account.

import { deadLink } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, persons } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { checkNewPassword } from "../password/check-password.ts";
import { claimUnproven } from "../person/claim-unproven.ts";
import { type FoundPerson, findPersonById, lockUnchanged } from "../person/find-person.ts";
import { admit, type SignedIn } from "../session/open-session.ts";
import { linkAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";
import { consumeToken, findToken } from "./email-token.ts";
import { guardToken } from "./guard-token.ts";
import { forgetRegistration, isRegisteringBrowser } from "./registering-browser.ts";

export type VerifiedHere = SignedIn & {
  readonly status: Verified["status"] | "password_needed";
  readonly email: string;
};

/**
 * In the browser that registered the address: verifies it and opens a session. Elsewhere, and after a second click, nothing
 * changes. Throws `token_expired`, `throttled`, and `permission_denied` if the domain requires another way to sign in.
 */
export async function verifyHere(
  db: Db,
  auth: Auth,
  caller: Caller,
  { token }: Pick<Input, "token">,
): Promise<VerifiedHere> {
  const result = await useLink(db, auth, { caller, input: { token } }, async (person) => {
    const { email } = person;
    const untouched = { status: "password_needed", email } as const;
    if (!(await isRegisteringBrowser(db, auth, caller, person.id))) return untouched;
    return db.transaction(async (tx) => {
      if (!(await lockUnchanged(tx, person))) throw deadLink();
      // Another registration may have replaced it until then.
      if (!(await isRegisteringBrowser(tx, auth, caller, person.id))) return untouched;
      if ((await consumeToken(tx, "verify", token)) === undefined) throw deadLink();
      await tx.update(persons).set({ emailVerifiedAt: sql`now()` }).where(isStill(person));
      await forgetRegistration(tx, person.id);
      const signedIn = await admit(tx, auth, caller, person);
      return { ...signedIn, status: "verified", email } as const;
    });
  });
  return { setCookies: [], ...result };
}

export type Verified = {
  readonly status: "verified" | "already_verified";
  readonly email: string;
};

type Input = { readonly token: string; readonly password: string };

/**
 * With the password of the registration. A second click succeeds too. Throws
 * `token_expired`, `wrong_credentials`, `throttled`, `overloaded`.
 */
export function verifyEmail(db: Db, auth: Auth, caller: Caller, input: Input): Promise<Verified> {
  return useLink(db, auth, { caller, input }, async (person) => {
    const attempts = linkAttempts(input.token);
    await countGuess(db, auth.throttles.loginPerPerson, attempts);
    const { right } = await auth.passwords.verify(input.password, person.passwordHash);
    if (!right) {
      const message =
        "This is not the password the address was registered with. Set a new one if you did not choose it.";
      throw new Fault("wrong_credentials", message, { param: "password" });
    }
    await forgetGuesses(db, attempts);
    return db.transaction(async (tx) => {
      const consumed = await consumeToken(tx, "verify", input.token);
      if (consumed === undefined && (await isVerified(tx, person))) {
        return { status: "already_verified", email: person.email };
      }
      if (consumed === undefined) throw deadLink();
      const verified = await tx
        .update(persons)
        .set({ emailVerifiedAt: sql`now()` })
        // Only if the password has not changed since it was checked.
        .where(and(isStill(person), eq(persons.passwordHash, person.passwordHash ?? "")))
        .returning({ id: persons.id });
      if (verified.length === 0) throw deadLink();
      await forgetRegistration(tx, person.id);
      return { status: "verified", email: person.email };
    });
  });
}

/**
 * With a new password, for owners who did not choose the current one. The person who did is locked out.
 * Throws `token_expired`, `throttled`, `overloaded` and what `checkNewPassword` throws.
 */
export function verifyWithNewPassword(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: Input,
): Promise<Verified> {
  return useLink(db, auth, { caller, input }, async (person) => {
    const { passwordCharsMin: minChars, productName } = auth;
    const { email } = person;
    checkNewPassword(input.password, { minChars, productName, email, param: "password" });
    const passwordHash = await auth.passwords.hash(input.password);
    await db.transaction(async (tx) => {
      if ((await consumeToken(tx, "verify", input.token)) === undefined) throw deadLink();
      if (!(await claimUnproven(tx, person, { passwordHash }))) throw deadLink();
    });
    return { status: "verified", email };
  });
}

function useLink<Result>(
  db: Db,
  auth: Auth,
  { caller, input }: { readonly caller: Caller; readonly input: Pick<Input, "token"> },
  verify: (person: FoundPerson) => Promise<Result>,
): Promise<Result | Verified> {
  const { token } = input;
  return guardToken(db, auth, { caller, token }, async () => {
    const found = await findToken(db, "verify", token);
    if (found === undefined) throw deadLink();
    const person = await findPersonById(db, found.personId);
    if (person === undefined || person.email !== found.email) throw deadLink();
    const { email } = person;
    if (person.emailVerifiedAt !== null) return { status: "already_verified", email };
    if (!found.live) throw deadLink();
    return verify(person);
  });
}

/** A concurrent click verified it. */
async function isVerified(db: Db, { id }: FoundPerson): Promise<boolean> {
  return (await findPersonById(db, id))?.emailVerifiedAt != null;
}

function isStill({ id, email }: FoundPerson) {
  return and(eq(persons.id, id), eq(persons.email, email));
}
