// Providers of OpenID Connect, by openid-client: it checks state, nonce, code verifier, the issuer of the
// response (mix-up), audience, times and the signature of the ID token. The only file that uses it.

import * as client from "openid-client";
import { readEmail } from "../person/read-email.ts";
import { type Provider, ProviderFailure, type ProviderSettings, type Vouched } from "./provider.ts";

const timeoutSeconds = 10;
/** How far the provider's clock may be from ours. */
const skewSeconds = 60;
/** Metadata changes rarely; keys are fetched by the library when one is unknown. */
const discoveredMs = 3_600_000;

export function openOpenidProvider(settings: ProviderSettings): Provider {
  const { id, name, kind, issuer } = settings;
  const discovered = keepDiscovered(settings);
  return {
    id,
    name,
    kind,
    issuer,
    authorizationUrl: ({ state, nonce, codeVerifier }, redirectUri) =>
      asFailure(async () =>
        client.buildAuthorizationUrl(await discovered(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        }),
      ),
    redeem: ({ state, nonce, codeVerifier }, callback) =>
      asFailure(async () => {
        const configuration = await discovered();
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("The provider sent no ID token.");
        const isComplete = claims.email !== undefined;
        const more =
          isComplete || configuration.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
        // An address and whether it is verified come from the same place.
        return readClaims(settings, { ...claims, ...more });
      }),
  };
}

/** One discovery for all who sign in; a failed one is repeated by the next. */
function keepDiscovered(settings: ProviderSettings): () => Promise<client.Configuration> {
  let kept: { readonly configuration: Promise<client.Configuration>; readonly untilMs: number };
  return () => {
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.configuration;
    const configuration = discover(settings);
    const mine = { configuration, untilMs: performance.now() + discoveredMs };
    kept = mine;
    configuration.catch(() => {
      if (kept === mine) kept = { configuration, untilMs: 0 };
    });
    return configuration;
  };
}

function discover({ issuer, clientId, clientSecret }: ProviderSettings) {
  const server = new URL(issuer);
  const metadata = { client_secret: clientSecret, [client.clockTolerance]: skewSeconds };
  return client.discovery(server, clientId, metadata, undefined, {
    timeout: timeoutSeconds,
    execute: [
      // The configuration allows http on loopback only.
      ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
      // Also checks the signature of an ID token that came straight from the provider.
      client.enableNonRepudiationChecks,
    ],
  });
}

function readClaims(
  { kind, issuer }: ProviderSettings,
  claims: Readonly<Record<string, unknown>> & { readonly sub: string },
): Vouched {
  const { sub, email, name, auth_time: authTime } = claims;
  const isVerified = kind === "google" ? isVerifiedByGoogle(claims) : isTrue(claims.email_verified);
  return {
    issuer,
    subject: sub,
    email: isVerified ? readStatedEmail(email) : undefined,
    name: typeof name === "string" ? name : "",
    authenticatedAt: typeof authTime === "number" ? new Date(authTime * 1_000) : undefined,
  };
}

/** Some providers send booleans as text. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true";
}

/**
 * Google verified an address of another domain once, long ago perhaps: it answers for its own mailboxes and
 * for those of the Workspace that the claim `hd` names.
 */
function isVerifiedByGoogle({ email, email_verified: verified, hd }: Record<string, unknown>) {
  const domain = typeof email === "string" ? email.split("@").at(-1)?.toLowerCase() : undefined;
  const isHosted = typeof hd === "string" && hd.toLowerCase() === domain;
  return isTrue(verified) && (domain === "gmail.com" || isHosted);
}

/** Undefined if it is no address. */
export function readStatedEmail(email: unknown): string | undefined {
  try {
    return typeof email === "string" ? readEmail(email) : undefined;
  } catch {
    return undefined;
  }
}

export async function asFailure<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    const isDeclined =
      error instanceof client.AuthorizationResponseError && error.error === "access_denied";
    throw new ProviderFailure(error, isDeclined);
  }
}
