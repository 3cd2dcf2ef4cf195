// Limits how many links may be sent: to one recipient, known or not, and on behalf of one network. No mailbox
// can be flooded through this service, and requests by others do not keep an owner from getting a link: a
// browser they have used has counters of its own, and any other can become one.

import { hashBucket, throttle } from "@turnpike/accounts";
import { customerNetwork, Fault, neighborhood } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import type { TokenPurpose } from "../email-link/email-token.ts";
import { findKnownDevice } from "../session/recognize-device.ts";
import { padResponseTime } from "./pad-response-time.ts";
import { warnOfGuessing } from "./warn-of-guessing.ts";

export type ThrottledMail = {
  readonly purpose: TokenPurpose;
  readonly email: string;
  /**
   * A registration, which always sends a link: its day is counted by itself. Otherwise requests to send the
   * link again, which send none to an address that is not registered, would keep its owner from registering.
   */
  readonly registers?: true;
};

/** Throws `throttled`, for known and unknown recipients alike. */
export async function throttleMail(
  db: Db,
  auth: Auth,
  caller: Caller,
  mail: ThrottledMail,
): Promise<void> {
  const { mailPerMinute, mailPerDay, mailPerAddress, mailPerNetwork } = auth.throttles;
  const { purpose, email } = mail;
  const known = await findKnownDevice(db, auth, caller, email);
  if (known !== undefined) {
    const device = `mail:${purpose}:device:${known.personId}:${known.device}`;
    await throttle(db, mailPerMinute, `${device}:minute`);
    return throttle(db, mailPerDay, `${device}:day`);
  }
  await throttle(db, mailPerAddress, `mail:address:${customerNetwork(caller.address)}`);
  await throttle(db, mailPerNetwork, `mail:network:${neighborhood(caller.address)}`);
  const recipient = hashBucket(email);
  await throttle(db, mailPerMinute, `mail:${purpose}:${recipient}:minute`);
  const counted = mail.registers ? "register" : purpose;
  try {
    await throttle(db, mailPerDay, `mail:${counted}:${recipient}:day`);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "throttled") throw error;
    // Links of other purposes work as long as this wait, so the newest mail still has one. This offers a way
    // in to the owner of a verified address; for all others it does nothing, in the same time.
    if (purpose === "reset" || purpose === "unlock") {
      await padResponseTime(auth.answerFloorMs, warnOfGuessing(db, auth, email));
    }
    throw error;
  }
}
