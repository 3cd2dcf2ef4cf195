// A separate database with everything sign-in needs, for tests: generous limits unless a test sets its
// own, and the queued mails, because links can be read only in the outbox.

import type { Membership } from "@turnpike/accounts";
import { createSealer, Fault } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { listMails, type MailKind, type MailMessage } from "@turnpike/mail";
import {
  createTestDatabase,
  lowPasswordCost,
  patientLimits,
  type TestDatabase,
} from "@turnpike/testing";
import { type Auth, type AuthOptions, type Caller, openAuth } from "./auth.ts";
import { verifyEmail } from "./email-link/verify-email.ts";
import { registerPerson } from "./person/register-person.ts";
import { logIn } from "./session/log-in.ts";
import type { AuthenticatedSession } from "./session/session.ts";
import { scaleThrottles, throttleLimits } from "./throttle/throttle-limits.ts";

export const goodPassword = "correct horse battery staple";

/** An undo where no keys are made that it could revoke. */
export function undoing(token: string) {
  return { token, revokeSince: () => Promise.resolve() };
}

export type TestAuth = Connection & {
  readonly auth: Auth;
  readonly database: TestDatabase;
  /** Connected as the owner of the tables, who may change what the server's role may not. */
  readonly owner: Connection;
  /** The same database with other options. */
  readonly reopen: (options: Partial<AuthOptions>) => Auth;
  /** Messages queued for an address, newest first. */
  readonly mailsTo: (email: string) => Promise<readonly MailMessage[]>;
  /** The token in the newest mail of that kind. */
  readonly tokenTo: (email: string, kind: MailKind) => Promise<string>;
  /** The token in the newest mail that offers to undo a change. */
  readonly undoTokenTo: (email: string) => Promise<string>;
  /** A verified person who is signed in, and the Cookie header of their browser. */
  readonly signUp: (email?: string) => Promise<{
    email: string;
    cookies: string;
    authenticated: AuthenticatedSession;
    /** Their personal one. */
    account: Membership;
  }>;
};

export async function openTestAuth(options: Partial<AuthOptions> = {}): Promise<TestAuth> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.url, ...patientLimits });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1, ...patientLimits });
  const { db } = connection;
  const reopen = (changed: Partial<AuthOptions>) =>
    openAuth(db, {
      publicUrl: "http://console.test",
      productName: "Turnpike",
      passwordCharsMin: 12,
      sealer: createSealer(["a key of these tests, long enough"]),
      throttles: scaleThrottles(throttleLimits, 1_000),
      answerFloorMs: 0,
      passwordCost: lowPasswordCost,
      ...options,
      ...changed,
    });
  const auth = reopen({});
  const mailsTo = async (email: string) => {
    const rows = await listMails(db, { recipient: email, limit: 1_000 });
    return rows.map(({ message }) => message);
  };
  const undoTokenTo = async (email: string) => {
    for (const mail of await mailsTo(email)) {
      if ("undoLink" in mail && mail.undoLink !== undefined) return tokenIn(mail.undoLink);
    }
    throw new Error(`No mail to ${email} offers to undo anything.`);
  };
  const tokenTo = async (email: string, kind: MailKind) => {
    const mail = (await mailsTo(email)).find((message) => message.kind === kind);
    if (mail === undefined || !("link" in mail)) throw new Error(`No mail ${kind} to ${email}.`);
    return tokenIn(mail.link);
  };
  let people = 0;
  const signUp = async (wanted?: string) => {
    people += 1;
    const email = wanted ?? `person-${people}@example.com`;
    const caller = callerAt("198.51.100.1");
    await registerPerson(db, auth, caller, { email, password: goodPassword });
    const token = await tokenTo(email, "verify_email");
    await verifyEmail(db, auth, caller, { token, password: goodPassword });
    const { setCookies } = await logIn(db, auth, caller, { email, password: goodPassword });
    const cookies = cookieHeader(setCookies);
    const authenticated = await auth.sessions.authenticate(cookies);
    const account = authenticated?.person.accounts[0];
    if (authenticated === undefined || account === undefined) {
      throw new Error("The new session was not recognized.");
    }
    return { email, cookies, authenticated, account };
  };
  const close = async () => {
    await connection.close();
    await owner.close();
    await database.drop();
  };
  return {
    ...connection,
    close,
    auth,
    database,
    owner,
    reopen,
    mailsTo,
    tokenTo,
    undoTokenTo,
    signUp,
  };
}

function tokenIn(link: string): string {
  const token = new URL(link).searchParams.get("token");
  if (token === null) throw new Error(`No token in ${link}.`);
  return token;
}

export function callerAt(address: string, cookies: string | null = null): Caller {
  return { address, userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", cookies };
}

/** What a browser sends back. */
export function cookieHeader(setCookies: readonly string[]): string {
  return setCookies.map((cookie) => cookie.split(";")[0]).join("; ");
}

/** The code of the Fault a promise rejects with, or what happened instead. */
export async function faultCodeOf(promise: Promise<unknown>): Promise<string> {
  const fault = await faultIn(promise);
  return fault?.code ?? "no fault";
}

export async function faultIn(promise: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
