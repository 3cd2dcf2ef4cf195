// Mails the owner a way in when sign-in to their account is slowed down: a link that lets one more
// browser try the password with its own counter. It signs no one in.

import { throttle } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth } from "../auth.ts";
import { issueToken, type TokenOwner, tokenLifetimesMs } from "../email-link/email-token.ts";
import { findPersonByEmail } from "../person/find-person.ts";

/**
 * At most once in the lifetime of the link, so that the newest mail always has a link that works and
 * guessing cannot flood a mailbox.
 */
export async function warnOfGuessing(db: Db, auth: Auth, email: string): Promise<void> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined || person.emailVerifiedAt === null) return;
  try {
    await throttle(db, auth.throttles.unlockPerPerson, `mail:unlock:warning:${person.id}`);
  } catch (error) {
    if (error instanceof Fault && error.code === "throttled") return;
    throw error;
  }
  await mailUnlockLink(db, auth, { personId: person.id, email });
}

export async function mailUnlockLink(db: Db, auth: Auth, owner: TokenOwner): Promise<void> {
  await db.transaction(async (tx) => {
    const token = await issueToken(tx, { ...owner, purpose: "unlock" });
    await queueMail(tx, owner.email, {
      kind: "unlock_sign_in",
      link: `${auth.publicUrl}/unlock?token=${token}`,
      resetLink: `${auth.publicUrl}/forgot-password`,
      hours: tokenLifetimesMs.unlock / 3_600_000,
    });
  });
}
