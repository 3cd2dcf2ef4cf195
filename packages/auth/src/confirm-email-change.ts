// Moves a person to the address whose link was used, and tells the address they leave.

import { Fault } from "@turnpike/base";
import { type Db, persons, queueMail, readErrorCode } from "@turnpike/db";
import { eq } from "drizzle-orm";
import type { Auth, Caller } from "./auth.ts";
import { consumeToken, deadLink, findSpentToken, revokeTokens } from "./email-token.ts";
import { guardToken } from "./guard-token.ts";

const uniqueViolation = "23505";

/** A second click gets the same answer. Throws `token_expired`, `conflict`, `throttled`. */
export function confirmEmailChange(
  db: Db,
  auth: Auth,
  caller: Caller,
  token: string,
): Promise<{ readonly email: string }> {
  return guardToken(db, auth, caller, async () => {
    try {
      return await moveToNewEmail(db, token);
    } catch (error) {
      if (readErrorCode(error) !== uniqueViolation) throw error;
      throw new Fault("conflict", "This address belongs to another account by now.");
    }
  });
}

function moveToNewEmail(db: Db, token: string): Promise<{ readonly email: string }> {
  return db.transaction(async (tx) => {
    const consumed = await consumeToken(tx, "change", token);
    const found = consumed ?? (await findSpentToken(tx, "change", token));
    if (found === undefined) throw deadLink();
    const { personId, email } = found;
    const [before] = await tx
      .select({ email: persons.email })
      .from(persons)
      .where(eq(persons.id, personId))
      .for("update");
    if (before?.email === email) return { email };
    if (consumed === undefined || before === undefined) throw deadLink();
    const now = new Date();
    await tx.update(persons).set({ email, emailVerifiedAt: now }).where(eq(persons.id, personId));
    // Links sent to the address they leave lead nowhere any more.
    await revokeTokens(tx, personId, "reset");
    await revokeTokens(tx, personId, "verify");
    await queueMail(tx, before.email, {
      kind: "email_changed",
      at: now.toISOString(),
      newEmail: email,
    });
    return { email };
  });
}
