// Whether a person has signed in with this browser before, known by a cookie that outlives sessions
// and of which only the hash is stored.

import type { PersonId } from "@turnpike/base";
import { type Db, devices } from "@turnpike/db";
import { eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "./auth.ts";
import { hashToken, makeToken } from "./hash-token.ts";
import { readCookie } from "./read-cookie.ts";

export type RecognisedDevice = {
  /** New, while the person is not: worth a mail. */
  readonly surprising: boolean;
  /** Value of a Set-Cookie header. */
  readonly setCookie: string;
};

const cookieSeconds = 400 * 86_400;

export async function recogniseDevice(
  db: Db,
  auth: Auth,
  caller: Caller,
  personId: PersonId,
): Promise<RecognisedDevice> {
  const { secure } = auth.sessions;
  const name = secure ? "__Host-turnpike_device" : "turnpike_device";
  const token = readCookie(caller.cookies, name) ?? makeToken();
  const hash = hashToken(token);
  const seen = await db
    .select({ hash: devices.hash })
    .from(devices)
    .where(eq(devices.personId, personId));
  await db
    .insert(devices)
    .values({ personId, hash })
    .onConflictDoUpdate({
      target: [devices.personId, devices.hash],
      set: { lastSeenAt: sql`now()` },
    });
  const known = seen.some((device) => Buffer.from(device.hash).equals(hash));
  const attributes = `HttpOnly; Max-Age=${cookieSeconds}; Path=/; SameSite=Lax`;
  return {
    surprising: seen.length > 0 && !known,
    setCookie: `${name}=${token}; ${attributes}${secure ? "; Secure" : ""}`,
  };
}
