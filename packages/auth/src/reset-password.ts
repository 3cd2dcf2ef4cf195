// Sets a new password by a mailed link. Every session ends and nobody is signed in by it: whoever
// had the old password is out.

import { type Db, persons, queueMail, sessions } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "./auth.ts";
import { checkNewPassword } from "./check-password.ts";
import { consumeToken, deadLink, findSpentToken, revokeTokens } from "./email-token.ts";
import { guardToken } from "./guard-token.ts";
import { guessBucket } from "./guess-bucket.ts";
import { forgetGuesses } from "./slow-guessing.ts";

/** Throws `token_expired`, `throttled`, `overloaded` and what `checkNewPassword` throws. */
export function resetPassword(
  db: Db,
  auth: Auth,
  caller: Caller,
  given: { readonly token: string; readonly password: string },
): Promise<void> {
  return guardToken(db, auth, caller, async () => {
    // Only for the password's rules: who holds no link learns nothing and costs no hash.
    const named = await findSpentToken(db, "reset", given.token);
    if (named === undefined) throw deadLink();
    const { passwordCharsMin: minChars, productName } = auth;
    const rules = { minChars, productName, email: named.email, param: "password" };
    checkNewPassword(given.password, rules);
    const passwordHash = await auth.passwords.hash(given.password);
    await replacePassword(db, auth, given.token, passwordHash);
    await forgetGuesses(db, guessBucket(named.email));
  });
}

async function replacePassword(
  db: Db,
  auth: Auth,
  token: string,
  passwordHash: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await consumeToken(tx, "reset", token);
    if (found === undefined) throw deadLink();
    const { personId, email } = found;
    const changed = await tx
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
    for (const purpose of ["reset", "change", "verify"] as const) {
      await revokeTokens(tx, personId, purpose);
    }
    await tx.delete(sessions).where(eq(sessions.personId, personId));
    await queueMail(tx, email, {
      kind: "password_changed",
      at: new Date().toISOString(),
      resetLink: `${auth.publicUrl}/forgot-password`,
    });
  });
}
