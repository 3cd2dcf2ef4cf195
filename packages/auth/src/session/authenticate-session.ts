// Who asks, by the cookie their browser sent.

import { Fault } from "@turnpike/base";
import type { Auth } from "../auth.ts";
import type { IdentifiedSession } from "./session.ts";

/** Undefined for everyone who is not signed in, whatever their cookie says. */
export function identifySession(
  auth: Auth,
  cookies: string | null,
): Promise<IdentifiedSession | undefined> {
  return auth.sessions.identify(cookies);
}

/** Throws `unauthenticated`. */
export function requireSession(identified: IdentifiedSession | undefined): IdentifiedSession {
  if (identified !== undefined) return identified;
  throw new Fault("unauthenticated", "Sign in to continue.");
}
