// OAuth 2 and OpenID Connect by openid-client: it checks state, nonce, code verifier, the issuer of the response
// (mix-up), audience, times and the signature of the ID token. The only file that uses it.

import * as client from "openid-client";
import { type AttemptSecrets, ProviderFailure, type ProviderSettings } from "./provider.ts";

export type Configuration = client.Configuration;

const timeoutSeconds = 10;
/** How far the provider's clock may be from ours. */
const skewSeconds = 60;

/** Asks a provider of OpenID Connect for its metadata. */
export function discover(settings: ProviderSettings): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: skewSeconds };
  return client.discovery(new URL(issuer), clientId, metadata, undefined, {
    timeout: timeoutSeconds,
    execute: [
      ...(isPlain(issuer) ? [client.allowInsecureRequests] : []),
      // Also checks the signature of an ID token that came straight from the provider.
      client.enableNonRepudiationChecks,
    ],
  });
}

/** For a provider of OAuth alone, which states no metadata. */
export function configure(
  { issuer, clientId, clientSecret }: ProviderSettings,
  endpoints: { readonly authorization_endpoint: string; readonly token_endpoint: string },
): Configuration {
  const metadata = { client_secret: clientSecret };
  const authentication = client.ClientSecretPost(clientSecret);
  const server = { issuer, ...endpoints };
  const configuration = new client.Configuration(server, clientId, metadata, authentication);
  configuration.timeout = timeoutSeconds;
  if (isPlain(issuer)) client.allowInsecureRequests(configuration);
  return configuration;
}

/** The configuration of the server allows http on loopback only. */
function isPlain(issuer: string): boolean {
  return issuer.startsWith("http:");
}

/** With PKCE (S256); `parameters` are further ones. */
export async function writeAuthorizationUrl(
  configuration: Configuration,
  { state, codeVerifier }: AttemptSecrets,
  parameters: Readonly<Record<string, string>>,
): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    ...parameters,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  });
}

/** Exchanges the code in the callback. With `nonce`, there must be an ID token with it, whose claims are returned. */
export async function redeemCode(
  configuration: Configuration,
  { state, codeVerifier, nonce }: Omit<AttemptSecrets, "nonce"> & { readonly nonce?: string },
  callback: URL,
) {
  const tokens = await client.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    pkceCodeVerifier: codeVerifier,
    ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
  });
  const claims = tokens.claims();
  if (claims !== undefined) assertClaims(claims);
  return { accessToken: tokens.access_token, claims };
}

/**
 * What the library lets pass: a subject that names nobody (OpenID Connect Core, 2: at most 255 characters), and an ID
 * token that was made later than now, which was not made for this sign-in.
 */
function assertClaims({ sub, iat }: client.IDToken): void {
  if (sub.trim() === "" || sub.length > 255) {
    throw new Error("The sub of the ID token is empty or too long.");
  }
  if (!(iat <= Date.now() / 1_000 + skewSeconds)) {
    throw new Error("The iat of the ID token is in the future: one of the clocks is wrong.");
  }
}

/** Of the person with this subject; nothing if the provider has no such endpoint. */
export async function fetchUserClaims(
  configuration: Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(configuration, accessToken, subject);
}

export async function fetchJson(
  configuration: Configuration,
  accessToken: string,
  url: string,
): Promise<unknown> {
  const headers = new Headers({ accept: "application/json", "user-agent": "Turnpike" });
  const target = new URL(url);
  const response = await client.fetchProtectedResource(
    configuration,
    accessToken,
    target,
    "GET",
    undefined,
    headers,
  );
  if (response.ok) return response.json();
  throw new Error(`${target.pathname} answered ${response.status}.`);
}

/** Runs `ask`; whatever goes wrong is the provider's. */
export async function asFailure<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const isDeclined =
      error instanceof client.AuthorizationResponseError && error.error === "access_denied";
    throw new ProviderFailure(error, isDeclined);
  }
}
