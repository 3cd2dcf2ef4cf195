// Begins to move a person to another address: with their password, and a link mailed to the new one.
// Until that link is used nothing changes.

import { Fault } from "@turnpike/base";
import { type Db, queueMail } from "@turnpike/db";
import type { Auth, Caller } from "./auth.ts";
import { confirmPassword } from "./confirm-password.ts";
import { readEmail } from "./create-account.ts";
import { issueToken, revokeTokens, tokenLifetimesMs } from "./email-token.ts";
import { findPersonByEmail } from "./find-person.ts";
import { holdBack } from "./hold-back.ts";
import type { IdentifiedSession } from "./session.ts";
import { throttleMail } from "./throttle-mail.ts";

/** The same answer whether the new address is taken or not. Throws as `confirmPassword` does. */
export async function requestEmailChange(
  db: Db,
  auth: Auth,
  caller: Caller & Pick<IdentifiedSession, "person">,
  given: { readonly newEmail: string; readonly password: string },
): Promise<void> {
  const newEmail = readEmail(given.newEmail, "newEmail");
  const { id: personId } = caller.person;
  const { password } = given;
  const person = await confirmPassword(db, auth, { personId, password, param: "password" });
  if (newEmail === person.email) {
    throw new Fault("invalid_value", "This is your address already.", { param: "newEmail" });
  }
  await throttleMail(db, auth, caller, { purpose: "change", email: newEmail });
  await holdBack(auth.answerFloorMs, send(db, auth, caller, newEmail));
}

async function send(
  db: Db,
  auth: Auth,
  { person }: Pick<IdentifiedSession, "person">,
  email: string,
): Promise<void> {
  const { id: personId } = person;
  const taken = await findPersonByEmail(db, email);
  await db.transaction(async (tx) => {
    await revokeTokens(tx, personId, "change");
    if (taken !== undefined) {
      await queueMail(tx, email, {
        kind: "already_registered",
        link: `${auth.publicUrl}/login`,
        resetLink: `${auth.publicUrl}/forgot-password`,
      });
      return;
    }
    const token = await issueToken(tx, { personId, email, purpose: "change" });
    await queueMail(tx, email, {
      kind: "confirm_new_email",
      link: `${auth.publicUrl}/confirm-email?token=${token}`,
      hours: tokenLifetimesMs.change / 3_600_000,
    });
  });
}
