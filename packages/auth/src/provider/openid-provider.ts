// A provider of OpenID Connect. An address counts as verified if the provider says so, and Google also answers for its
// domain.

import { domainOfEmail, parseDomainName } from "@turnpike/accounts";
import {
  asFailure,
  type Configuration,
  discover,
  fetchUserClaims,
  redeemCode,
  writeAuthorizationUrl,
} from "./oauth-client.ts";
import { parseStatedEmail } from "./parse-stated-email.ts";
import type { Provider, ProviderSettings, Vouched } from "./provider.ts";

/** Metadata changes rarely; keys are fetched by the library when one is unknown. */
const discoveredMs = 3_600_000;

export function openOpenidProvider(settings: ProviderSettings): Provider {
  const { id, name, kind, issuer } = settings;
  const discovered = cacheDiscovery(settings);
  // Google knows neither `login` nor `max_age`.
  const again =
    kind === "google" ? { prompt: "select_account" } : { prompt: "login", max_age: "0" };
  return {
    id,
    name,
    kind,
    issuer,
    authorizationUrl: (secrets, { redirectUri, isAgain }) =>
      asFailure(async () =>
        writeAuthorizationUrl(await discovered(), secrets, {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          nonce: secrets.nonce,
          ...(isAgain && again),
        }),
      ),
    redeem: (secrets, callback) =>
      asFailure(async () => {
        const configuration = await discovered();
        const { accessToken, claims } = await redeemCode(configuration, secrets, callback);
        if (claims === undefined) throw new Error("The provider sent no ID token.");
        if (claims.email !== undefined) return parseClaims(settings, claims);
        const more = await fetchUserClaims(configuration, accessToken, claims.sub);
        return parseClaims(settings, { ...claims, ...vouching(more), sub: claims.sub });
      }),
  };
}

/** One discovery for all who sign in; a failed one is repeated by the next. */
function cacheDiscovery(settings: ProviderSettings): () => Promise<Configuration> {
  type Kept = { readonly configuration: Promise<Configuration>; readonly untilMs: number };
  let kept: Kept | undefined;
  return () => {
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.configuration;
    const configuration = discover(settings);
    const mine = { configuration, untilMs: performance.now() + discoveredMs };
    kept = mine;
    configuration.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return configuration;
  };
}

/**
 * What of userinfo is used: an address and all that vouches for it come from the same place. What the ID token says of
 * an address that it does not name is about another one.
 */
function vouching(more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { email, email_verified, xms_edov, hd } = more;
  return { ...more, email, email_verified, xms_edov, hd };
}

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

function parseClaims({ kind, issuer }: ProviderSettings, claims: Claims): Vouched {
  const { sub, name, auth_time: authTime } = claims;
  // Everything else is decided by the address in its stored form, never by the claim.
  const email = parseStatedEmail(claims.email);
  const isVerified = kind === "google" ? isVerifiedByGoogle(email, claims) : isVerifiedBy(claims);
  return {
    issuer,
    subject: sub,
    email: isVerified ? email : undefined,
    name: typeof name === "string" ? name : "",
    authenticatedAt: typeof authTime === "number" ? new Date(authTime * 1_000) : undefined,
  };
}

/** Entra ID states the optional claim `xms_edov` instead: the owner of the domain was verified. */
function isVerifiedBy({ email_verified: verified, xms_edov: ownerVerified }: Claims): boolean {
  return isTrue(verified) || (verified === undefined && isTrue(ownerVerified));
}

/** Some providers send booleans as text or number. */
function isTrue(claim: unknown): boolean {
  return claim === true || claim === "true" || claim === 1 || claim === "1";
}

/**
 * Google verified an address of another domain once, long ago perhaps: it answers for its own mailboxes and
 * for those of the Workspace that the claim `hd` names.
 */
function isVerifiedByGoogle(
  email: string | undefined,
  { email_verified: verified, hd }: Claims,
): boolean {
  if (email === undefined || !isTrue(verified)) return false;
  const domain = domainOfEmail(email);
  return domain === "gmail.com" || (typeof hd === "string" && parseDomainName(hd) === domain);
}
