// A browser is back from a provider. Says where it goes next: on, with a session or a linked identity, or back, with
// the reason in the query for the page to explain. The reason never says whether an address is known.

import { holdPerson, lockPerson } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { type Db, errorCodeOf } from "@turnpike/db";
import type { Auth, Caller } from "../auth.ts";
import type { AuthenticatedSession } from "../session/session.ts";
import { admitIdentity, findOwner, insertIdentity } from "./admit-identity.ts";
import { announceLink } from "./announce-link.ts";
import { takeAttempt } from "./attempt.ts";
import { requireProvider } from "./open-providers.ts";
import { type Provider, ProviderFailure, type Vouched } from "./provider.ts";
import { ProviderRefusal, type RefusalReason } from "./provider-refusal.ts";
import { redirectUri } from "./start-at-provider.ts";

const uniqueViolation = "23505";

export type Finished = {
  /** A path of the console. */
  readonly path: string;
  readonly setCookies: readonly string[];
  /** For the log: why the provider was not believed. */
  readonly cause?: unknown;
};

type Returning = Caller & { readonly authenticated: AuthenticatedSession | undefined };

/** `query` is that of the callback. Throws `not_found` for an unknown provider. */
export async function finishAtProvider(
  db: Db,
  auth: Auth,
  caller: Returning,
  { provider: id, query }: { readonly provider: string; readonly query: URLSearchParams },
): Promise<Finished> {
  const provider = requireProvider(auth.providers, id);
  const state = query.get("state") ?? "";
  const attempt = await takeAttempt(db, auth, caller, { provider: id, state });
  const links = attempt?.sessionId != null;
  try {
    if (attempt === undefined) throw new ProviderRefusal("expired");
    const callback = new URL(`${redirectUri(auth, id)}?${query}`);
    const vouched = await provider.redeem(attempt.secrets, callback);
    if (!links) {
      const { setCookies, factor } = await admitIdentity(db, auth, caller, provider, vouched);
      if (factor === undefined) return { path: attempt.next, setCookies };
      // In the fragment, which no server and no other page gets to see.
      const asked = new URLSearchParams({ factor: factor.challenge, methods: `${factor.methods}` });
      return { path: `${withQuery("/login", { next: attempt.next })}#${asked}`, setCookies };
    }
    // The link belongs to the session that asked for it, not to the person who is signed in by now.
    const { authenticated } = caller;
    if (authenticated?.session.publicId !== attempt.sessionId) throw new ProviderRefusal("expired");
    await linkIdentity(db, auth, caller, authenticated.person, provider, vouched);
    return { path: withQuery(attempt.next, { linked: id }), setCookies: [] };
  } catch (error) {
    const { reason, cause } = reasonOf(error);
    const why = { provider: id, refused: reason };
    return {
      path:
        links && attempt !== undefined
          ? withQuery(attempt.next, why)
          : withQuery("/login", { ...why, ...(attempt !== undefined && { next: attempt.next }) }),
      setCookies: [],
      ...(cause !== undefined && { cause }),
    };
  }
}

/**
 * Links one more identity to a person who is signed in. Its address may differ from theirs, but must be verified. A
 * second time nothing changes. Throws ProviderRefusal.
 */
async function linkIdentity(
  db: Db,
  auth: Auth,
  caller: Caller,
  person: AuthenticatedSession["person"],
  provider: Provider,
  vouched: Vouched,
): Promise<void> {
  const { email } = vouched;
  await db.transaction(async (tx) => {
    await lockPerson(tx, person.id);
    await holdPerson(tx, person.id);
    const owner = await findOwner(tx, vouched);
    if (owner?.id === person.id) return;
    if (owner !== undefined) throw new ProviderRefusal("taken");
    if (email === undefined) throw new ProviderRefusal("unverified");
    await insertIdentity(tx, person, provider, { ...vouched, email });
    await announceLink(tx, auth, caller, person, provider, email);
  });
}

/** Throws what is neither a refusal nor a failure of the provider. */
function reasonOf(error: unknown): { readonly reason: RefusalReason; readonly cause?: unknown } {
  if (error instanceof ProviderRefusal) return { reason: error.reason };
  if (error instanceof Fault && error.code === "permission_denied") return { reason: "required" };
  // Someone linked the same identity at the same moment; the next attempt finds it.
  if (errorCodeOf(error) === uniqueViolation) return { reason: "expired" };
  if (!(error instanceof ProviderFailure)) throw error;
  return error.declined ? { reason: "declined" } : { reason: "failed", cause: error.cause };
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const [bare = "/", existing] = path.split("#")[0]?.split("?") ?? [];
  const merged = new URLSearchParams(existing);
  for (const [name, value] of Object.entries(query)) merged.set(name, value);
  return `${bare}?${merged}`;
}
