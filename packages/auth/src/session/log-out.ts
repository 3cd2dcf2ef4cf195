// Ends the session that asks.

import type { Auth } from "../auth.ts";
import type { SignedIn } from "./log-in.ts";
import type { AuthenticatedSession } from "./session.ts";

/** Without a session it only removes the cookie. */
export async function logOut(
  auth: Auth,
  authenticated: AuthenticatedSession | undefined,
): Promise<SignedIn> {
  return { setCookies: [await auth.sessions.close(authenticated?.session.token)] };
}
