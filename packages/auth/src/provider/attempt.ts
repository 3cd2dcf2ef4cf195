// A sign-in under way at a provider: known by its state, bound to the browser that began it, used once. Nonce and
// code verifier are derived from the browser's cookie and the state, so the database holds no secret.

import { hashToken, makeToken } from "@turnpike/base";
import { type Db, providerAttempts } from "@turnpike/db";
import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { parseCookie } from "../session/session.ts";
import type { AttemptSecrets } from "./provider.ts";

const lifetimeSeconds = 600;

type Attempt = {
  readonly provider: string;
  /** The session that links an identity; null signs in. */
  readonly sessionId: string | null;
  readonly next: string;
};

export type BegunAttempt = {
  readonly secrets: AttemptSecrets;
  /** Value of a Set-Cookie header. */
  readonly setCookie: string;
};

/** A browser keeps its cookie while it has one: several tabs may sign in at the same time. */
export async function beginAttempt(
  db: Db,
  auth: Auth,
  caller: Caller,
  attempt: Attempt,
): Promise<BegunAttempt> {
  const browser = parseBrowserCookie(auth, caller) ?? makeToken();
  const secrets = deriveSecrets(browser, makeToken());
  await db.insert(providerAttempts).values({
    ...attempt,
    hash: hashToken(secrets.state),
    browserHash: hashToken(browser),
    expiresAt: sql`now() + make_interval(secs => ${lifetimeSeconds}::int)`,
  });
  const attributes = `HttpOnly; Max-Age=${lifetimeSeconds}; Path=/; SameSite=Lax`;
  const setCookie = `${cookieName(auth)}=${browser}; ${attributes}${auth.sessions.secure ? "; Secure" : ""}`;
  return { secrets, setCookie };
}

/**
 * Uses the attempt up, whatever happens next. Undefined if it is unknown, used, expired, another provider's, or
 * another browser's.
 */
export async function takeAttempt(
  db: Db,
  auth: Auth,
  caller: Caller,
  { provider, state }: { readonly provider: string; readonly state: string },
): Promise<(Attempt & { readonly secrets: AttemptSecrets }) | undefined> {
  const browser = parseBrowserCookie(auth, caller);
  if (browser === undefined) return undefined;
  const [taken] = await db
    .update(providerAttempts)
    .set({ consumedAt: sql`now()` })
    .where(
      and(
        eq(providerAttempts.hash, hashToken(state)),
        eq(providerAttempts.browserHash, hashToken(browser)),
        eq(providerAttempts.provider, provider),
        isNull(providerAttempts.consumedAt),
        gt(providerAttempts.expiresAt, sql`now()`),
      ),
    )
    .returning({
      provider: providerAttempts.provider,
      sessionId: providerAttempts.sessionId,
      next: providerAttempts.next,
    });
  return taken && { ...taken, secrets: deriveSecrets(browser, state) };
}

function deriveSecrets(browser: string, state: string): AttemptSecrets {
  const derive = (purpose: string) =>
    new Bun.CryptoHasher("sha256", browser).update(`${purpose}:${state}`).digest("base64url");
  return { state, nonce: derive("nonce"), codeVerifier: derive("verifier") };
}

function parseBrowserCookie(auth: Auth, { cookies }: Caller): string | undefined {
  return parseCookie(cookies, cookieName(auth));
}

function cookieName(auth: Auth): string {
  return auth.sessions.secure ? "__Host-turnpike_provider" : "turnpike_provider";
}
