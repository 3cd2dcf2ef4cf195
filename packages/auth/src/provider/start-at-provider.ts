// Sends a browser to a provider, to sign in or to link an identity to the person who is signed in.

import { throttle } from "@turnpike/accounts";
import { customerNetwork, Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import { beginAttempt } from "./attempt.ts";
import { requireProvider } from "./open-providers.ts";
import { ProviderFailure } from "./provider.ts";

export type Start = {
  readonly provider: string;
  /** A path of the console to go to afterwards. */
  readonly next?: string | undefined;
  /** The public id of the session that links an identity. */
  readonly sessionId?: string;
  /** The provider shall ask who it is, even if it remembers. */
  readonly isAgain?: boolean | undefined;
};

export type Started = {
  /** At the provider. */
  readonly url: string;
  readonly setCookies: readonly string[];
};

/** Throws `not_found`, `throttled`, and `bad_gateway` if the provider cannot be reached. */
export async function startAtProvider(
  db: Db,
  auth: Auth,
  caller: Caller,
  { provider: id, next, sessionId, isAgain = false }: Start,
): Promise<Started> {
  const provider = requireProvider(auth.providers, id);
  const bucket = `provider:address:${customerNetwork(caller.address)}`;
  await throttle(db, auth.throttles.loginPerAddress, bucket);
  const { secrets, setCookie } = await beginAttempt(db, auth, caller, {
    provider: id,
    sessionId: sessionId ?? null,
    next: parseNext(auth, next),
  });
  try {
    const url = await provider.authorizationUrl(secrets, {
      redirectUri: redirectUri(auth, id),
      isAgain,
    });
    return { url: url.href, setCookies: [setCookie] };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const message = `${provider.name} could not be reached. Try again, or sign in another way.`;
    throw new Fault("bad_gateway", message, { cause: error });
  }
}

/** Different for each provider: one cannot answer with what another one issued. */
export function redirectUri({ publicUrl }: Pick<Auth, "publicUrl">, provider: string): string {
  return `${publicUrl}/auth/callback/${provider}`;
}

const nextCharsMax = 2_000;

/** A path of our own origin; `/` for everything else. */
function parseNext({ publicUrl }: Auth, next: string | undefined): string {
  if (next === undefined || !next.startsWith("/") || next.length > nextCharsMax) return "/";
  const url = URL.parse(next, publicUrl);
  if (url === null || url.origin !== publicUrl || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}
