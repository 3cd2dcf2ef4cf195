// Limits how many links may be sent: to one recipient, known or not, and on behalf of
// one network address. No mailbox can be flooded through this service, and requests by others do not keep
// an owner from getting a link in a browser they have used before.

import { customerNetwork } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import type { TokenPurpose } from "../email-link/email-token.ts";
import { findKnownDevice } from "../session/recognise-device.ts";
import { hashBucket, throttle } from "./throttle.ts";

/** Throws `throttled`, for known and unknown recipients alike. */
export async function throttleMail(
  db: Db,
  auth: Auth,
  caller: Caller,
  mail: { readonly purpose: TokenPurpose; readonly email: string },
): Promise<void> {
  const { mailPerMinute, mailPerDay, mailPerAddress } = auth.throttles;
  const known = await findKnownDevice(db, auth, caller, mail.email);
  if (known === undefined) {
    await throttle(db, mailPerAddress, `mail:address:${customerNetwork(caller.address)}`);
  }
  const recipient =
    known === undefined
      ? `mail:${mail.purpose}:${hashBucket(mail.email)}`
      : `mail:${mail.purpose}:device:${known.personId}:${known.device}`;
  await throttle(db, mailPerMinute, `${recipient}:minute`);
  await throttle(db, mailPerDay, `${recipient}:day`);
}
