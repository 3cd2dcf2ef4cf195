// Changes the password of a person who knows the present one. Every session ends; the one that asks
// gets a new one.

import { Fault } from "@turnpike/base";
import { type Db, persons, queueMail, sessions } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "./auth.ts";
import { checkNewPassword } from "./check-password.ts";
import { confirmPassword } from "./confirm-password.ts";
import { revokeTokens } from "./email-token.ts";
import type { SignedIn } from "./log-in.ts";
import type { IdentifiedSession } from "./session.ts";

/** Throws `wrong_credentials`, `conflict`, `throttled` and what `checkNewPassword` throws. */
export async function changePassword(
  db: Db,
  auth: Auth,
  caller: Caller & Pick<IdentifiedSession, "person">,
  given: { readonly currentPassword: string; readonly newPassword: string },
): Promise<SignedIn> {
  const { passwordCharsMin: minChars, productName } = auth;
  const { id: personId, email } = caller.person;
  checkNewPassword(given.newPassword, { minChars, productName, email, param: "newPassword" });
  const person = await confirmPassword(db, auth, {
    personId,
    password: given.currentPassword,
    param: "currentPassword",
  });
  const passwordHash = await auth.passwords.hash(given.newPassword);
  await db.transaction(async (tx) => {
    const changed = await tx
      .update(persons)
      .set({ passwordHash, passwordChangedAt: sql`now()` })
      .where(and(eq(persons.id, personId), eq(persons.passwordHash, person.passwordHash ?? "")))
      .returning({ id: persons.id });
    if (changed.length === 0) {
      throw new Fault("conflict", "The password was changed elsewhere in the meantime.");
    }
    await revokeTokens(tx, personId, "reset");
    await tx.delete(sessions).where(eq(sessions.personId, personId));
    await queueMail(tx, person.email, {
      kind: "password_changed",
      at: new Date().toISOString(),
      resetLink: `${auth.publicUrl}/forgot-password`,
    });
  });
  const { setCookie } = await auth.sessions.open(personId, caller);
  return { setCookies: [setCookie] };
}
