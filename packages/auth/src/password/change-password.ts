// Changes the password of a person who knows the current one. The owner is notified before it takes
// effect; every session and every pending link ends, and the requesting session gets a new token.

import { Fault } from "@turnpike/base";
import { type Db, devices, persons, sessions } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { revokePendingLinks } from "../email-link/email-token.ts";
import { announceNewPassword } from "../email-link/undo-link.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import { renewSession, type SignedIn } from "../session/open-session.ts";
import { rememberDevice } from "../session/recognize-device.ts";
import { checkNewPassword } from "./check-password.ts";
import { confirmPassword, type SessionOwner } from "./confirm-password.ts";

/** Throws `wrong_credentials`, `conflict`, `throttled` and what `checkNewPassword` throws. */
export async function changePassword(
  db: Db,
  auth: Auth,
  caller: Caller & SessionOwner,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<SignedIn> {
  const { passwordCharsMin: minChars, productName } = auth;
  const { id: personId, email } = caller.person;
  checkNewPassword(input.newPassword, { minChars, productName, email, param: "newPassword" });
  const person = await confirmPassword(db, auth, caller, {
    password: input.currentPassword,
    param: "currentPassword",
  });
  const passwordHash = await auth.passwords.hash(input.newPassword);
  await announceNewPassword(db, auth, { personId, email: person.email });
  return db.transaction(async (tx) => {
    const changed = await tx
      .update(persons)
      .set({ passwordHash, passwordChangedAt: sql`now()` })
      .where(and(eq(persons.id, personId), eq(persons.passwordHash, person.passwordHash ?? "")))
      .returning({ id: persons.id });
    if (changed.length === 0) {
      throw new Fault("conflict", "The password was changed elsewhere in the meantime.");
    }
    await revokePendingLinks(tx, personId);
    await tx.delete(sessions).where(eq(sessions.personId, personId));
    // Someone else may have signed in with the old password: only this browser stays a known device.
    await tx.delete(devices).where(eq(devices.personId, personId));
    const deviceCookie = await rememberDevice(tx, auth, caller, personId);
    // Before the lock is given up: what ends sessions afterwards ends this one too.
    const { setCookie } = await renewSession(tx, auth, caller, caller);
    await recordPersonEvent(tx, personId, "password_change", caller);
    return { setCookies: [setCookie, deviceCookie] };
  });
}
