// Mails the link that proves an address, at registration and again on request.

import { parseEmail } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { findPersonByEmail } from "../person/find-person.ts";
import { padResponseTime } from "../throttle/pad-response-time.ts";
import { throttleMail } from "../throttle/throttle-mail.ts";
import { issueToken, type TokenOwner, tokenLifetimesMs } from "./email-token.ts";

/** The same answer for every address. Throws `invalid_value` and `throttled`. */
export async function resendVerification(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly email: string },
): Promise<{ readonly retryAfterSeconds: number }> {
  const email = parseEmail(input.email);
  await throttleMail(db, auth, caller, { purpose: "verify", email });
  await padResponseTime(auth.answerFloorMs, sendIfUnproven(db, auth, email));
  return { retryAfterSeconds: Math.ceil(auth.throttles.mailPerMinute.windowMs / 1000) };
}

async function sendIfUnproven(db: Db, auth: Auth, email: string): Promise<void> {
  const person = await findPersonByEmail(db, email);
  // A person without a password was created by an operator and starts with "forgot password".
  if (person?.passwordHash == null || person.emailVerifiedAt !== null) return;
  await db.transaction((tx) => sendVerification(tx, auth, { personId: person.id, email }));
}

/** Mails the link. Call it in the transaction that makes the token necessary. */
export async function sendVerification(db: Db, auth: Auth, to: TokenOwner): Promise<void> {
  const token = await issueToken(db, { ...to, purpose: "verify" });
  await queueMail(db, to.email, {
    kind: "verify_email",
    link: `${auth.publicUrl}/verify-email?token=${token}`,
    hours: tokenLifetimesMs.verify / 3_600_000,
  });
}
