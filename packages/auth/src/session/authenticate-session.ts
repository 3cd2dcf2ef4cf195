// The person behind a request, from the session cookie.

import { noSession } from "@turnpike/accounts";
import type { Auth } from "../auth.ts";
import type { AuthenticatedSession } from "./session.ts";

/** Undefined for everyone who is not signed in, whatever their cookie says. */
export function authenticateSession(
  auth: Auth,
  cookies: string | null,
): Promise<AuthenticatedSession | undefined> {
  return auth.sessions.authenticate(cookies);
}

/** Throws `unauthenticated`. */
export function requireSession(
  authenticated: AuthenticatedSession | undefined,
): AuthenticatedSession {
  if (authenticated !== undefined) return authenticated;
  throw noSession();
}
