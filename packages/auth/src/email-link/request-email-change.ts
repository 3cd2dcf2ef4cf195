// Begins to move a person to another address: with their password, a link mailed to the new address,
// and a mail to the current one, which may undo it. Until the link is used nothing changes.

import { assertNotManaged, findReservation, parseEmail } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { confirmPassword, type SessionOwner } from "../password/confirm-password.ts";
import { type FoundPerson, findPersonByEmail, lockUnchanged } from "../person/find-person.ts";
import { padResponseTime } from "../throttle/pad-response-time.ts";
import { throttleMail } from "../throttle/throttle-mail.ts";
import { issueToken, revokeLinksOf, tokenLifetimesMs } from "./email-token.ts";
import { issueUndoLink, mailReservation } from "./undo-link.ts";

/** The same answer whether the new address is taken or not. Throws as `confirmPassword` does. */
export async function requestEmailChange(
  db: Db,
  auth: Auth,
  caller: Caller & SessionOwner,
  input: { readonly newEmail: string; readonly password: string },
): Promise<void> {
  const newEmail = parseEmail(input.newEmail, "newEmail");
  const { password } = input;
  const person = await confirmPassword(db, auth, caller, { password, param: "password" });
  await assertNotManaged(db, person.email);
  if (newEmail === person.email) {
    throw new Fault("invalid_value", "This is already your address.", { param: "newEmail" });
  }
  await throttleMail(db, auth, caller, { purpose: "change", email: newEmail });
  await padResponseTime(auth.answerFloorMs, send(db, auth, person, newEmail));
}

async function send(db: Db, auth: Auth, person: FoundPerson, newEmail: string): Promise<void> {
  const taken = await findPersonByEmail(db, newEmail);
  const reserved = await findReservation(db, newEmail, person.id);
  await notifyCurrentAddress(db, auth, person, newEmail);
  if (taken !== undefined) return mailTaken(db, auth, newEmail);
  if (reserved !== undefined) return mailReservation(db, auth, reserved);
  await db.transaction(async (tx) => {
    if (!(await lockUnchanged(tx, person))) {
      throw new Fault("conflict", "The account was changed elsewhere in the meantime.");
    }
    const token = await issueToken(tx, { personId: person.id, email: newEmail, purpose: "change" });
    await queueMail(tx, newEmail, {
      kind: "confirm_new_email",
      link: `${auth.publicUrl}/confirm-email?token=${token}`,
      hours: tokenLifetimesMs.change / 3_600_000,
    });
  });
}

/** Committed before the link to the new address exists. Links of an earlier change stop working. */
function notifyCurrentAddress(
  db: Db,
  auth: Auth,
  { id: personId, email }: FoundPerson,
  newEmail: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    const undo = await issueUndoLink(tx, auth, { personId, email });
    await revokeLinksOf(tx, personId, "change");
    await queueMail(tx, email, {
      kind: "email_change_requested",
      at: new Date().toISOString(),
      newEmail,
      ...undo,
    });
  });
}

function mailTaken(db: Db, auth: Auth, email: string): Promise<void> {
  return queueMail(db, email, {
    kind: "already_registered",
    link: `${auth.publicUrl}/login`,
    resetLink: `${auth.publicUrl}/forgot-password`,
  });
}
