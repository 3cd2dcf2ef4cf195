// Which counter an attempt to give a password belongs to. A browser the owner has used before and a
// live session have their own counters, so other people's guesses never make them wait.

import { hashBucket, throttle } from "@turnpike/accounts";
import { customerNetwork, Fault, hashToken, neighborhood, type PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import { findKnownDevice } from "../session/recognize-device.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { padResponseTime } from "./pad-response-time.ts";
import { countGuess } from "./slow-guessing.ts";
import { warnOfGuessing } from "./warn-of-guessing.ts";

/** Unknown callers share one counter per address; it exists for unknown addresses too. */
export function unknownCallerAttempts(email: string): string {
  return `login:person:${hashBucket(email)}`;
}

/** A signed-in person confirming their password; a thief of one session cannot block another. */
export function sessionAttempts({ session }: Pick<AuthenticatedSession, "session">): string {
  return `login:session:${session.publicId}`;
}

/** After the right password, whichever browser it came from. */
export function factorAttempts(personId: PersonId): string {
  return `login:factor:${personId}`;
}

/** For links sent by mail that also ask for the password. */
export function linkAttempts(token: string): string {
  return `login:link:${Buffer.from(hashToken(token)).toString("hex")}`;
}

function deviceAttempts(personId: PersonId, device: string): string {
  return `login:device:${personId}:${device}`;
}

/**
 * Counts one attempt to sign in and returns its counter, to be forgotten after the right password.
 * Throws `throttled`; the owner is then mailed a way in.
 */
export async function countLogin(
  db: Db,
  auth: Auth,
  caller: Caller,
  email: string,
): Promise<string> {
  const { throttles } = auth;
  const known = await findKnownDevice(db, auth, caller, email);
  if (known !== undefined) {
    const attempts = deviceAttempts(known.personId, known.device);
    await countGuess(db, throttles.loginPerPerson, attempts);
    return attempts;
  }
  await throttle(db, throttles.loginPerAddress, `login:address:${customerNetwork(caller.address)}`);
  await throttle(db, throttles.loginPerNetwork, `login:network:${neighborhood(caller.address)}`);
  const attempts = unknownCallerAttempts(email);
  try {
    await countGuess(db, throttles.loginPerPerson, attempts);
  } catch (error) {
    if (error instanceof Fault && error.code === "throttled") {
      await padResponseTime(auth.answerFloorMs, warnOfGuessing(db, auth, email));
    }
    throw error;
  }
  return attempts;
}
