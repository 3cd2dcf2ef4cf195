// Moves a person to the address whose link was used, with their password: the owner of a mailbox
// cannot be given another person's account by a click, and a thief cannot keep a change the owner ended.

import { assertNotManaged, deadLink, findReservation, holdRequirement } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, errorCodeOf, persons, sessions } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { and, eq } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { type FoundPerson, findPersonById } from "../person/find-person.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import { renewSession, type SignedIn } from "../session/open-session.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { linkAttempts } from "../throttle/login-attempts.ts";
import { countGuess, forgetGuesses } from "../throttle/slow-guessing.ts";
import { consumeToken, findToken, revokePendingLinks } from "./email-token.ts";
import { guardToken } from "./guard-token.ts";
import { issueUndoLink } from "./undo-link.ts";

const uniqueViolation = "23505";

type SignedInCaller = Caller & { readonly authenticated?: AuthenticatedSession | undefined };

export type EmailChanged = SignedIn & { readonly email: string };

/**
 * Every session ends; a browser where the person is signed in gets a new one, unless the domain of the new address
 * requires a provider. A second click gets the same answer. Throws `token_expired`, `wrong_credentials`,
 * `permission_denied`, `conflict`, `throttled`.
 */
export function confirmEmailChange(
  db: Db,
  auth: Auth,
  caller: SignedInCaller,
  input: { readonly token: string; readonly password: string },
): Promise<EmailChanged> {
  const { token } = input;
  return guardToken(db, auth, { caller, token }, async () => {
    const found = await findToken(db, "change", token);
    const person = found && (await findPersonById(db, found.personId));
    if (found === undefined || person === undefined) throw deadLink();
    if (person.email === found.email) return { email: found.email, setCookies: [] };
    if (!found.live) throw deadLink();
    await checkPassword(db, auth, person, input);
    const setCookies = await moveToNewEmail(db, auth, {
      caller,
      person,
      token,
      email: found.email,
    });
    return { email: found.email, setCookies };
  });
}

async function checkPassword(
  db: Db,
  auth: Auth,
  person: FoundPerson,
  input: { readonly token: string; readonly password: string },
): Promise<void> {
  const attempts = linkAttempts(input.token);
  await countGuess(db, auth.throttles.loginPerPerson, attempts);
  const { right } = await auth.passwords.verify(input.password, person.passwordHash);
  if (!right) {
    const message = "This is not the password of the account that is to use this address.";
    throw new Fault("wrong_credentials", message, { param: "password" });
  }
  await forgetGuesses(db, attempts);
}

type Move = {
  readonly caller: SignedInCaller;
  readonly person: FoundPerson;
  readonly token: string;
  /** The new one. */
  readonly email: string;
};

/** Returns the cookies of the session that is opened where the person is signed in. */
async function moveToNewEmail(
  db: Db,
  auth: Auth,
  { caller, person, token, email }: Move,
): Promise<readonly string[]> {
  try {
    return await db.transaction(async (tx) => {
      // First: a provider that is required there at this moment comes before this, or ends the new session.
      const required = await holdRequirement(tx, email);
      const consumed = await consumeToken(tx, "change", token);
      if (consumed === undefined) throw deadLink();
      const { personId } = consumed;
      await assertNotManaged(tx, person.email);
      if ((await findReservation(tx, email, personId)) !== undefined) throw addressTaken();
      const now = new Date();
      const moved = await tx
        .update(persons)
        .set({ email, emailVerifiedAt: now })
        // Only if the password has not changed since it was checked.
        .where(and(eq(persons.id, personId), eq(persons.passwordHash, person.passwordHash ?? "")))
        .returning({ id: persons.id });
      if (moved.length === 0) throw deadLink();
      await revokePendingLinks(tx, personId);
      await tx.delete(sessions).where(eq(sessions.personId, personId));
      // The address got an undo link when the change was requested; its 72 hours start again now.
      await queueMail(tx, person.email, {
        kind: "email_changed",
        at: now.toISOString(),
        newEmail: email,
        ...(await issueUndoLink(tx, auth, { personId, email: person.email })),
      });
      await recordPersonEvent(tx, personId, "email_change", caller);
      const { authenticated } = caller;
      if (authenticated?.person.id !== personId || required !== undefined) return [];
      // Before the lock is given up: what ends sessions afterwards ends this one too.
      return [(await renewSession(tx, auth, caller, authenticated)).setCookie];
    });
  } catch (error) {
    if (errorCodeOf(error) === uniqueViolation) throw addressTaken();
    throw error;
  }
}

function addressTaken(): Fault {
  return new Fault("conflict", "This address now belongs to another account.");
}
