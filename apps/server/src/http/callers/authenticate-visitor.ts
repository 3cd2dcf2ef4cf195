// Who is signed in behind a request of the console. Looking up a session costs a query on the connections
// that all sign-ins use, so a cookie that is not known to be a session takes from the share of its address
// first.
import { chooseAccount, type Membership } from "@turnpike/accounts";
import { type AuthenticatedSession, authenticateSession } from "@turnpike/auth";
import { customerNetwork, Fault } from "@turnpike/base";
import type { Services } from "../../services.ts";
import type { ClientAddress } from "./authenticate-request.ts";
import { createKnownCallers } from "./known-callers.ts";
import { callLimit, createCallLimiter, scaleLimit } from "./limit-calls.ts";

export type Visitors = {
  /** Undefined for everyone who is not signed in. Throws `throttled`. */
  readonly authenticate: (request: Request) => Promise<AuthenticatedSession | undefined>;
  /** Remembers a new session, by the value of its Set-Cookie header. */
  readonly remember: (setCookie: string) => void;
};

export function createVisitors(services: Services, addressOf: ClientAddress): Visitors {
  const { auth } = services.api;
  const unknownCookies = createCallLimiter(scaleLimit(callLimit, services.config.THROTTLE_SCALE));
  const known = createKnownCallers();
  return {
    async authenticate(request) {
      const cookies = request.headers.get("cookie");
      const hash = auth.sessions.hashIn(cookies);
      if (hash === undefined) return undefined;
      if (!known.has(hash)) {
        assertNotLimited(unknownCookies.take(customerNetwork(addressOf(request)), 1));
      }
      const authenticated = await authenticateSession(auth, cookies);
      known.note(hash, authenticated !== undefined);
      return authenticated;
    },
    remember(setCookie) {
      const hash = auth.sessions.hashIn(setCookie);
      if (hash !== undefined) known.note(hash, true);
    },
  };
}

/** The account that a page of the console is about: the slug in its address. */
const accountHeader = "x-turnpike-account";

/** Undefined for those who do not belong to the account that the request names. */
export async function findAccountOf(
  { db }: Services["api"],
  request: Request,
  authenticated: AuthenticatedSession | undefined,
): Promise<Membership | undefined> {
  if (authenticated === undefined) return undefined;
  const slug = request.headers.get(accountHeader) ?? undefined;
  return chooseAccount(db, authenticated.person, slug);
}

/** Throws `throttled` if there is a wait. */
export function assertNotLimited(retryAfterMs: number): void {
  if (retryAfterMs === 0) return;
  throw new Fault("throttled", "Too many requests at once. Try again in a moment.", {
    retryAfterMs,
  });
}
