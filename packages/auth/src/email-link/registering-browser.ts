// The browser that registered an address, known by a cookie until the address is proven: there the mailed link needs no
// password, because nobody else can have both. Only the hash is stored, among the person's devices; whatever replaces an
// unproven password deletes it.
import { hashToken, makeToken, type PersonId } from "@turnpike/base";
import { type Db, devices } from "@turnpike/db";
import { and, eq } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { parseCookie } from "../session/session.ts";

export type RegisteringBrowser = {
  readonly token: string;
  /** Value of a Set-Cookie header: the same for every registration, whether or not the address is known. */
  readonly setCookie: string;
};

/** As long as the link works. */
const cookieSeconds = 86_400;

export function newRegisteringBrowser(auth: Auth): RegisteringBrowser {
  const token = makeToken();
  const attributes = `HttpOnly; Max-Age=${cookieSeconds}; Path=/; SameSite=Lax`;
  const setCookie = `${cookieName(auth)}=${token}; ${attributes}${auth.sessions.secure ? "; Secure" : ""}`;
  return { token, setCookie };
}

/** The only browser that may prove the address without the password. */
export async function rememberRegistration(
  db: Db,
  personId: PersonId,
  { token }: RegisteringBrowser,
): Promise<void> {
  await forgetRegistration(db, personId);
  await db.insert(devices).values({ personId, hash: hashToken(token) });
}

/** An unproven person has signed in nowhere, so there are no other devices. */
export async function forgetRegistration(db: Db, personId: PersonId): Promise<void> {
  await db.delete(devices).where(eq(devices.personId, personId));
}

export async function isRegisteringBrowser(
  db: Db,
  auth: Auth,
  { cookies }: Caller,
  personId: PersonId,
): Promise<boolean> {
  const token = parseCookie(cookies, cookieName(auth));
  if (token === undefined) return false;
  const found = await db
    .select({ hash: devices.hash })
    .from(devices)
    .where(and(eq(devices.personId, personId), eq(devices.hash, hashToken(token))));
  return found.length > 0;
}

function cookieName(auth: Auth): string {
  return auth.sessions.secure ? "__Host-turnpike_registration" : "turnpike_registration";
}
