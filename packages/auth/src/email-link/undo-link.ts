// The link that undoes a change of an account, mailed to the address the account has before the
// change. While it works, that address stays reserved for the account.

import type { Reservation } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth } from "../auth.ts";
import { issueToken, type TokenOwner, tokenLifetimesMs } from "./email-token.ts";

const hourMs = 3_600_000;
export const undoHours = tokenLifetimesMs.undo / hourMs;

/** The part of a mail about it. `owner.email` is the current address of the account. */
export async function issueUndoLink(
  db: Db,
  auth: Auth,
  owner: TokenOwner,
): Promise<{ readonly undoLink: string; readonly undoHours: number }> {
  const token = await issueToken(db, { ...owner, purpose: "undo" });
  return { undoLink: undoUrl(auth, token), undoHours };
}

/**
 * Notifies the owner that a new password is being set, with a way to undo it. Committed before the
 * change itself, so that no password is replaced without notice, whatever happens in between.
 */
export function announceNewPassword(db: Db, auth: Auth, owner: TokenOwner): Promise<void> {
  return db.transaction(async (tx) => {
    await queueMail(tx, owner.email, {
      kind: "password_changed",
      at: new Date().toISOString(),
      resetLink: `${auth.publicUrl}/forgot-password`,
      ...(await issueUndoLink(tx, auth, owner)),
    });
  });
}

/** Tells the owner of a reserved address why it cannot be used yet, and how to undo the change. */
export async function mailReservation(
  db: Db,
  auth: Auth,
  { personId, email, until }: Reservation,
): Promise<void> {
  await db.transaction(async (tx) => {
    // It expires with the reservation: a new link must not extend it.
    const token = await issueToken(tx, { personId, email, purpose: "undo", expiresAt: until });
    await queueMail(tx, email, {
      kind: "address_reserved",
      undoLink: undoUrl(auth, token),
      undoHours: Math.max(1, Math.ceil((until.getTime() - Date.now()) / hourMs)),
    });
  });
}

function undoUrl(auth: Auth, token: string): string {
  return `${auth.publicUrl}/undo-change?token=${token}`;
}
