// Limits how many links may be sent: to one recipient, whether known to us or not, and on behalf of
// one network address. Nobody's mailbox is flooded through us.

import type { Db } from "@turnpike/db";
import { addressBucket } from "./address-bucket.ts";
import type { Auth, Caller } from "./auth.ts";
import type { TokenPurpose } from "./email-token.ts";
import { hashBucket, throttle } from "./throttle.ts";

/** Throws `throttled`, for known and unknown recipients alike. */
export async function throttleMail(
  db: Db,
  auth: Auth,
  caller: Caller,
  mail: { readonly purpose: TokenPurpose; readonly email: string },
): Promise<void> {
  const { mailPerMinute, mailPerDay, mailPerAddress } = auth.throttles;
  const recipient = `mail:${mail.purpose}:${hashBucket(mail.email)}`;
  await throttle(db, mailPerAddress, `mail:address:${addressBucket(caller.address)}`);
  await throttle(db, mailPerMinute, `${recipient}:minute`);
  await throttle(db, mailPerDay, `${recipient}:day`);
}
