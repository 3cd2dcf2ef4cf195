// Obtains an access token from an endpoint of OAuth 2.0: with an assertion signed by a service account of
// Google (RFC 7523), or with the secret of an application of Microsoft Entra (RFC 6749 4.4). Neither the
// secret nor the token is ever part of an error.
import { createPrivateKey } from "node:crypto";
import { Fault, parseObject, parseText } from "@turnpike/base";
import { SignJWT } from "jose";
import { scrubMessage } from "../refusals/scrub-message.ts";
import { connectionFailureIn } from "../transport/connection-failure.ts";
import { post } from "../transport/post.ts";
import { readBody } from "../transport/read-body.ts";
import {
  type EntraClient,
  type RenewedCredential,
  type ServiceAccount,
  secretsOf,
} from "./credential.ts";
import type { Token } from "./token-cache.ts";

const waitMaxMs = 10_000;
const answerMaxBytes = 64 * 1024;
/** https://developers.google.com/identity/protocols/oauth2/service-account: an hour at most. */
const assertionLifetime = "1h";
const googleScope = "https://www.googleapis.com/auth/cloud-platform";
/** If the answer names no lifetime, which RFC 6749 5.1 only recommends. */
const usualLifetimeSeconds = 3_600;

const headers = new Headers({
  "content-type": "application/x-www-form-urlencoded",
  accept: "application/json",
  "accept-encoding": "identity",
  "user-agent": "Turnpike/0.1",
});
/** The abort signal bounds the wait; no other deadline is needed. */
const unwatched = { startWaiting: () => undefined, stopWaiting: () => undefined, unread: false };

/** Rejects with a Fault: `bad_gateway`, with status 401 if the endpoint refuses the credential. */
export async function requestToken(credential: RenewedCredential): Promise<Token> {
  const form = await writeGrant(credential);
  const signal = AbortSignal.timeout(waitMaxMs);
  const { status, text } = await ask(credential.tokenUrl, form.toString(), signal);
  const answer = parseObject(text);
  const token = parseText(answer?.access_token);
  if (status === 200 && token !== undefined && /^[\x21-\x7e]+$/.test(token)) {
    return { text: token, lifetimeMs: parseSeconds(answer?.expires_in) * 1000 };
  }
  const words = [parseText(answer?.error), parseText(answer?.error_description)];
  const reason = scrubMessage(words.filter(Boolean).join(": "), secretsOf(credential));
  const cause = new Error(`the token endpoint answered ${status}: ${reason || "no token"}`);
  const isRefused = status === 400 || status === 401 || status === 403;
  throw new Fault("bad_gateway", "The upstream provider refused this gateway.", {
    cause,
    upstreamStatus: isRefused ? 401 : status,
  });
}

async function ask(url: string, body: string, signal: AbortSignal) {
  const attempt = async (freshConnection: boolean) => {
    const response = await post(url, headers, body, signal, freshConnection);
    const { text } = await readBody(response.body, answerMaxBytes, unwatched);
    return { status: response.status, text };
  };
  try {
    return await attempt(false).catch((thrown: unknown) => {
      // A kept-alive connection may have been idle for too long.
      if (signal.aborted || connectionFailureIn(thrown) !== "reset") throw thrown;
      return attempt(true);
    });
  } catch (thrown) {
    const cause = signal.aborted
      ? Object.assign(new Error("the token endpoint did not answer"), { code: "ETIMEDOUT" })
      : thrown;
    throw new Fault("bad_gateway", "The upstream provider could not be reached.", { cause });
  }
}

/** RFC 6749 5.1 requires a number; some send it as text. */
function parseSeconds(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : usualLifetimeSeconds;
}

function writeGrant(credential: RenewedCredential): URLSearchParams | Promise<URLSearchParams> {
  return credential.scheme === "entra-client"
    ? writeClientGrant(credential)
    : writeAssertionGrant(credential);
}

function writeClientGrant({ clientId, clientSecret, scope }: EntraClient): URLSearchParams {
  return new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  });
}

async function writeAssertionGrant(account: ServiceAccount): Promise<URLSearchParams> {
  const { clientEmail, privateKey, privateKeyId, tokenUrl } = account;
  const assertion = await new SignJWT({ scope: googleScope })
    .setProtectedHeader({
      alg: "RS256",
      typ: "JWT",
      ...(privateKeyId !== undefined && { kid: privateKeyId }),
    })
    .setIssuer(clientEmail)
    .setAudience(tokenUrl)
    .setIssuedAt()
    .setExpirationTime(assertionLifetime)
    .sign(createPrivateKey(privateKey));
  return new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  });
}
