// Authorizes one request with a credential that is more than a header: the token of the provider's credential,
// shared by all calls until it expires.
import type { RenewedCredential } from "./credential.ts";
import { requestToken } from "./request-token.ts";
import { TokenCache } from "./token-cache.ts";

const bearer = "Bearer ";

/** A reload of the catalogue makes new credentials, and so new tokens. */
const tokens = new WeakMap<RenewedCredential, TokenCache>();

function tokensOf(credential: RenewedCredential): TokenCache {
  let cache = tokens.get(credential);
  if (cache === undefined) {
    cache = new TokenCache(() => requestToken(credential));
    tokens.set(credential, cache);
  }
  return cache;
}

/** A copy of `headers` with what the credential adds. Rejects with the Fault of the token endpoint. */
export async function authorizeRequest(
  credential: RenewedCredential,
  headers: Headers,
): Promise<Headers> {
  const authorized = new Headers(headers);
  authorized.set("authorization", bearer + (await tokensOf(credential).read()));
  return authorized;
}

/** The provider refused the token in `authorized`: the next call obtains another. */
export function forgetToken(credential: RenewedCredential, authorized: Headers): void {
  const text = authorized.get("authorization")?.slice(bearer.length);
  if (text !== undefined) tokens.get(credential)?.forget(text);
}
