// Whether a person has signed in with this browser before, known by a cookie that outlives sessions
// and of which only the hash is stored.

import { hashToken, makeToken, type PersonId } from "@turnpike/base";
import { type Db, devices, persons } from "@turnpike/db";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { parseCookie } from "./session.ts";

export type RecognizedDevice = {
  /** A new device of a person who has signed in before: worth a mail. */
  readonly surprising: boolean;
  /** Value of a Set-Cookie header. */
  readonly setCookie: string;
};

const cookieSeconds = 400 * 86_400;

export async function recognizeDevice(
  db: Db,
  auth: Auth,
  caller: Caller,
  personId: PersonId,
): Promise<RecognizedDevice> {
  const token = parseDeviceCookie(auth, caller);
  const hash = token === undefined ? undefined : hashToken(token);
  const seen = await db
    .select({ hash: devices.hash })
    .from(devices)
    .where(eq(devices.personId, personId));
  const known = seen.some((device) => hash && Buffer.from(device.hash).equals(hash));
  return {
    surprising: seen.length > 0 && !known,
    setCookie: await rememberDevice(db, auth, caller, personId),
  };
}

/**
 * Records this browser as known for the person. Returns the value of a Set-Cookie header. A cookie that
 * this server did not issue is replaced: it may have been planted by someone who knows its value.
 */
export async function rememberDevice(
  db: Db,
  auth: Auth,
  caller: Caller,
  personId: PersonId,
): Promise<string> {
  const { secure } = auth.sessions;
  const presented = parseDeviceCookie(auth, caller);
  const token = presented !== undefined && (await isOurs(db, presented)) ? presented : makeToken();
  await db
    .insert(devices)
    .values({ personId, hash: hashToken(token) })
    .onConflictDoUpdate({
      target: [devices.personId, devices.hash],
      set: { lastSeenAt: sql`now()` },
    });
  const attributes = `HttpOnly; Max-Age=${cookieSeconds}; Path=/; SameSite=Lax`;
  return `${deviceCookieName(auth)}=${token}; ${attributes}${secure ? "; Secure" : ""}`;
}

/** The device of this caller, if the person with this address has used it. */
export async function findKnownDevice(
  db: Db,
  auth: Auth,
  caller: Caller,
  email: string,
): Promise<{ readonly personId: PersonId; readonly device: string } | undefined> {
  const token = parseDeviceCookie(auth, caller);
  if (token === undefined) return undefined;
  const hash = hashToken(token);
  const [found] = await db
    .select({ personId: devices.personId })
    .from(devices)
    .innerJoin(persons, eq(persons.id, devices.personId))
    .where(and(eq(devices.hash, hash), eq(persons.email, email)));
  if (found === undefined) return undefined;
  return { personId: found.personId, device: Buffer.from(hash).toString("hex") };
}

function parseDeviceCookie(auth: Auth, { cookies }: Caller): string | undefined {
  return parseCookie(cookies, deviceCookieName(auth));
}

function deviceCookieName(auth: Auth): string {
  return auth.sessions.secure ? "__Host-turnpike_device" : "turnpike_device";
}

async function isOurs(db: Db, token: string): Promise<boolean> {
  const found = await db
    .select({ hash: devices.hash })
    .from(devices)
    .where(eq(devices.hash, hashToken(token)))
    .limit(1);
  return found.length > 0;
}
