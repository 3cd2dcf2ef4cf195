// Undoes a change of password or address, by the link mailed before it took effect. Afterwards
// the account has the address the link was mailed to, and only the owner of that mailbox gets in.

import { deadLink } from "@turnpike/accounts";
import { Fault, type PersonId } from "@turnpike/base";
import { type Db, devices, errorCodeOf, identities, persons, sessions } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import { eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { removeFactorsSince } from "../factor/change-factors.ts";
import { recordPersonEvent } from "../person/person-event.ts";
import {
  consumeToken,
  issueToken,
  queryChangedAt,
  revokeLaterUndos,
  revokePendingLinks,
  type TokenOwner,
  tokenLifetimesMs,
} from "./email-token.ts";
import { guardToken } from "./guard-token.ts";

const uniqueViolation = "23505";

/** Revokes, in the transaction of the undo, what else was made in the person's name since the change. */
export type RevokeSince = (tx: Db, personId: PersonId, since: Date) => Promise<unknown>;

/**
 * Restores the address, ends every session, revokes every pending link and makes the password
 * useless; a link that sets a new one is mailed. Works both before and after the change took
 * effect. Throws `token_expired`, `throttled`, and `conflict` if the address was taken.
 */
export function undoChange(
  db: Db,
  auth: Auth,
  caller: Caller,
  { token, revokeSince }: { readonly token: string; readonly revokeSince: RevokeSince },
): Promise<{ readonly email: string }> {
  return guardToken(db, auth, { caller, token }, async () => {
    try {
      return await restoreAccount(db, auth, caller, { token, revokeSince });
    } catch (error) {
      if (errorCodeOf(error) !== uniqueViolation) throw error;
      throw new Fault("conflict", "This address now belongs to another account.");
    }
  });
}

function restoreAccount(
  db: Db,
  auth: Auth,
  caller: Caller,
  { token, revokeSince }: { readonly token: string; readonly revokeSince: RevokeSince },
): Promise<{ readonly email: string }> {
  return db.transaction(async (tx) => {
    const found = await consumeToken(tx, "undo", token);
    if (found === undefined) throw deadLink();
    const { personId, email } = found;
    const since = await queryChangedAt(tx, found);
    const [before] = await tx
      .select({ email: persons.email })
      .from(persons)
      .where(eq(persons.id, personId))
      .for("update");
    if (before === undefined) throw deadLink();
    await tx
      .update(persons)
      .set({
        email,
        emailVerifiedAt: sql`coalesce(${persons.emailVerifiedAt}, now())`,
        // No one can sign in with a password until the owner of the mailbox has chosen a new one.
        passwordHash: null,
        passwordChangedAt: sql`now()`,
        // Anyone who changed it may have asked for it.
        deletionDueAt: null,
      })
      .where(eq(persons.id, personId));
    await revokePendingLinks(tx, personId);
    // Otherwise the address that was just removed could reverse the undo.
    await revokeLaterUndos(tx, personId, token);
    await tx.delete(sessions).where(eq(sessions.personId, personId));
    await tx.delete(devices).where(eq(devices.personId, personId));
    // Anyone who made the change may have linked one of their own.
    await tx.delete(identities).where(eq(identities.personId, personId));
    await removeFactorsSince(tx, personId, since);
    await revokeSince(tx, personId, since);
    await recordPersonEvent(tx, personId, "change_undone", caller);
    await notifyBoth(tx, auth, { personId, email, removed: before.email });
    return { email };
  });
}

async function notifyBoth(
  db: Db,
  auth: Auth,
  { personId, email, removed }: TokenOwner & { readonly removed: string },
): Promise<void> {
  const at = new Date().toISOString();
  const token = await issueToken(db, { personId, email, purpose: "reset" });
  await queueMail(db, email, {
    kind: "change_undone",
    at,
    link: `${auth.publicUrl}/reset-password?token=${token}`,
    minutes: tokenLifetimesMs.reset / 60_000,
  });
  if (removed === email) return;
  const resetLink = `${auth.publicUrl}/forgot-password`;
  await queueMail(db, removed, { kind: "email_removed", at, resetLink });
}
