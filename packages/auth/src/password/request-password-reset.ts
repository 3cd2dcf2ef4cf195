// Mails a link that sets a new password if the address is known; the answer does not reveal whether.

import { parseEmail } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import { queueMail } from "@turnpike/mail";
import type { Auth, Caller } from "../auth.ts";
import { issueToken, type TokenOwner, tokenLifetimesMs } from "../email-link/email-token.ts";
import { findPersonByEmail } from "../person/find-person.ts";
import { padResponseTime } from "../throttle/pad-response-time.ts";
import { throttleMail } from "../throttle/throttle-mail.ts";

/** Throws `invalid_value` and `throttled`. */
export async function requestPasswordReset(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly email: string },
): Promise<void> {
  const email = parseEmail(input.email);
  await throttleMail(db, auth, caller, { purpose: "reset", email });
  await padResponseTime(auth.answerFloorMs, sendIfKnown(db, auth, email));
}

/** Also to a person whose address is not verified yet: the link proves it. */
async function sendIfKnown(db: Db, auth: Auth, email: string): Promise<void> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined) return;
  await db.transaction((tx) => sendReset(tx, auth, { personId: person.id, email }));
}

/** Mails the link. Call it in a transaction. */
export async function sendReset(tx: Db, auth: Auth, to: TokenOwner): Promise<void> {
  const token = await issueToken(tx, { ...to, purpose: "reset" });
  await queueMail(tx, to.email, {
    kind: "reset_password",
    link: `${auth.publicUrl}/reset-password?token=${token}`,
    minutes: tokenLifetimesMs.reset / 60_000,
  });
}
