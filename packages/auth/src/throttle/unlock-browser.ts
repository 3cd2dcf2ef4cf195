// Marks a browser as known by a mailed link: it may try the password even while sign-in is slowed down by
// other people's attempts. It still needs the password to sign in.

import { deadLink, parseEmail } from "@turnpike/accounts";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import { consumeToken, findToken } from "../email-link/email-token.ts";
import { guardToken } from "../email-link/guard-token.ts";
import { findPersonByEmail } from "../person/find-person.ts";
import { findKnownDevice, rememberDevice } from "../session/recognize-device.ts";
import { padResponseTime } from "./pad-response-time.ts";
import { throttleMail } from "./throttle-mail.ts";
import { mailUnlockLink } from "./warn-of-guessing.ts";

/** Mails the link. The same answer for every address. Throws `invalid_value` and `throttled`. */
export async function requestUnlock(
  db: Db,
  auth: Auth,
  caller: Caller,
  input: { readonly email: string },
): Promise<void> {
  const email = parseEmail(input.email);
  await throttleMail(db, auth, caller, { purpose: "unlock", email });
  await padResponseTime(auth.answerFloorMs, mailIfKnown(db, auth, email));
}

async function mailIfKnown(db: Db, auth: Auth, email: string): Promise<void> {
  const person = await findPersonByEmail(db, email);
  if (person === undefined || person.emailVerifiedAt === null) return;
  await mailUnlockLink(db, auth, { personId: person.id, email });
}

/** A second click in the same browser gets the same answer. Throws `token_expired`, `throttled`. */
export function unlockBrowser(
  db: Db,
  auth: Auth,
  caller: Caller,
  token: string,
): Promise<{ readonly email: string; readonly setCookies: readonly string[] }> {
  return guardToken(db, auth, { caller, token }, async () => {
    const found = await findToken(db, "unlock", token);
    if (found === undefined) throw deadLink();
    const { personId, email } = found;
    if (!found.live) {
      const known = await findKnownDevice(db, auth, caller, email);
      if (known?.personId !== personId) throw deadLink();
      return { email, setCookies: [] };
    }
    return db.transaction(async (tx) => {
      if ((await consumeToken(tx, "unlock", token)) === undefined) throw deadLink();
      return { email, setCookies: [await rememberDevice(tx, auth, caller, personId)] };
    });
  });
}
