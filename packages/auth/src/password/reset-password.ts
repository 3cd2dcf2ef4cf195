// Sets a new password with a link sent by mail. It ends every session, known device and pending link
// of the person, and signs nobody in.

import { deadLink } from "@turnpike/accounts";
import type { PersonId } from "@turnpike/base";
import { type Db, devices, persons, sessions } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { consumeToken, findToken, revokePendingLinks } from "../email-link/email-token.ts";
import { guardToken } from "../email-link/guard-token.ts";
import { announceNewPassword } from "../email-link/undo-link.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import { unknownCallerAttempts } from "../throttle/login-attempts.ts";
import { forgetGuesses } from "../throttle/slow-guessing.ts";
import { checkNewPassword } from "./check-password.ts";

export type PasswordReset = {
  readonly token: string;
  readonly password: string;
};

/** Throws `token_expired`, `throttled`, `overloaded` and what `checkNewPassword` throws. */
export function resetPassword(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: PasswordReset,
): Promise<{ readonly personId: PersonId }> {
  const { token } = input;
  return guardToken(db, auth, { caller, token }, async () => {
    const named = await findToken(db, "reset", token);
    if (named === undefined || !named.live) throw deadLink();
    const { passwordCharsMin: minChars, productName } = auth;
    const rules = { minChars, productName, email: named.email, param: "password" };
    checkNewPassword(input.password, rules);
    const passwordHash = await auth.passwords.hash(input.password);
    await announceNewPassword(db, auth, named);
    await db.transaction((tx) => replacePassword(tx, caller, token, passwordHash));
    await forgetGuesses(db, unknownCallerAttempts(named.email));
    return { personId: named.personId };
  });
}

async function replacePassword(
  db: Db,
  caller: Caller,
  token: string,
  passwordHash: string,
): Promise<void> {
  const found = await consumeToken(db, "reset", token);
  if (found === undefined) throw deadLink();
  const { personId, email } = found;
  const changed = await db
    .update(persons)
    .set({
      passwordHash,
      passwordChangedAt: sql`now()`,
      // The link came by mail, so the address is proven.
      emailVerifiedAt: sql`coalesce(${persons.emailVerifiedAt}, now())`,
    })
    .where(and(eq(persons.id, personId), eq(persons.email, email)))
    .returning({ id: persons.id });
  if (changed.length === 0) throw deadLink();
  await revokePendingLinks(db, personId);
  await db.delete(sessions).where(eq(sessions.personId, personId));
  await db.delete(devices).where(eq(devices.personId, personId));
  await recordPersonEvent(db, personId, "password_reset", caller);
}
