// Authorizes one request with a credential that is more than a constant header: the token of the provider's
// credential, shared by all calls until it expires, or a signature of the request.
import type { ActiveCredential, RenewedCredential } from "./credential.ts";
import { requestToken } from "./request-token.ts";
import { signRequest, type UnsignedRequest } from "./sign-request.ts";
import { TokenCache } from "./token-cache.ts";

const bearer = "Bearer ";

/** A reload of the catalog creates new credentials, and so new tokens. */
const tokens = new WeakMap<ActiveCredential, TokenCache>();

function tokensOf(credential: RenewedCredential): TokenCache {
  let cache = tokens.get(credential);
  if (cache === undefined) {
    cache = new TokenCache(() => requestToken(credential));
    tokens.set(credential, cache);
  }
  return cache;
}

/** The request's headers and what the credential adds. Rejects with the Fault of a token endpoint. */
export async function authorizeRequest(
  credential: ActiveCredential,
  request: UnsignedRequest,
): Promise<Headers> {
  const authorized = new Headers(request.headers);
  if (credential.scheme === "aws-sigv4") {
    const signature = await signRequest(credential, request);
    for (const name in signature) authorized.set(name, signature[name] ?? "");
  } else {
    authorized.set("authorization", bearer + (await tokensOf(credential).read()));
  }
  return authorized;
}

/**
 * The provider refused the token in `authorized`, if there is one. True if `authorizeRequest` has
 * another.
 */
export function forgetToken(credential: ActiveCredential, authorized: Headers): boolean {
  const text = authorized.get("authorization")?.slice(bearer.length);
  return text !== undefined && tokens.get(credential)?.forget(text) === true;
}
