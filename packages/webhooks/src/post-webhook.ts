// Sends one message over HTTP, to an address that was checked: no name is resolved again, no redirect is followed,
// no connection is reused. It ends within its time, and what is read of an answer is bounded.

import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { withDeadline } from "@turnpike/base";
import { findTarget, RefusedTarget, type Target } from "./find-target.ts";
import type { WebhookHeaders } from "./sign-webhook.ts";
import type { Webhooks } from "./webhooks.ts";

/** How long a receiver may take, including the connection. */
export const answerLimitMs = 15_000;
const answerCharsMax = 1_000;
const answerBytesMax = 4 * answerCharsMax;

export type Outcome = {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The beginning of its body. */
  readonly answer: string;
  /** Null if it was accepted: by any 2xx. */
  readonly error: string | null;
  readonly durationMs: number;
};

export type WebhookPost = {
  readonly url: string;
  readonly headers: WebhookHeaders;
  readonly body: string;
  readonly limitMs?: number;
};

/** Never rejects because of what the receiver does. */
export async function postWebhook(
  rules: Pick<Webhooks, "allowPrivate" | "lookup">,
  { url, headers, body, limitMs = answerLimitMs }: WebhookPost,
): Promise<Outcome> {
  const startMs = performance.now();
  const answer: Answer = { status: null, bytes: [], size: 0 };
  const leaving = new AbortController();
  const send = async () => {
    const target = await findTarget(url, rules);
    if (!leaving.signal.aborted) await exchange(target, headers, body, answer, leaving.signal);
    return null;
  };
  const late = (ms: number) => `There was no answer within ${Math.round(ms / 1_000)} seconds.`;
  const failure = await withDeadline<string | null>(send(), limitMs, late, describe);
  leaving.abort();
  const { status } = answer;
  return {
    status,
    answer: decodeText(answer),
    // A receiver that has accepted may take its time to end the body.
    error: status === null ? failure : explainStatus(status),
    durationMs: Math.round(performance.now() - startMs),
  };
}

/** Filled while it arrives, so that a deadline finds what there was. */
type Answer = { status: number | null; bytes: Uint8Array[]; size: number };

/** Resolves at the end of the answer, or when enough of it was read. */
function exchange(
  { url, addresses }: Target,
  headers: WebhookHeaders,
  body: string,
  answer: Answer,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options: https.RequestOptions = {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "accept-encoding": "identity",
      "user-agent": "Turnpike-Webhooks/1",
    },
    lookup: answerWith(addresses),
    agent: false,
  };
  const request = (url.protocol === "https:" ? https : http).request(url, options, (response) => {
    answer.status = response.statusCode ?? null;
    response.on("data", (bytes: Uint8Array) => {
      answer.bytes.push(bytes.subarray(0, answerBytesMax - answer.size));
      answer.size += bytes.length;
      if (answer.size >= answerBytesMax) resolve();
    });
    response.on("end", () => resolve());
    response.on("error", () => resolve());
    response.on("close", () => resolve());
  });
  request.on("error", reject);
  const leave = () => request.destroy();
  signal.addEventListener("abort", leave, { once: true });
  request.end(body);
  return promise.finally(leave);
}

/** Instead of a resolver: the addresses that were checked. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first = { address: "", family: 0 }] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

function describe(error: unknown): string {
  if (error instanceof RefusedTarget) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: "The connection was refused.",
    ECONNRESET: "The connection was closed before an answer.",
    ETIMEDOUT: "There was no connection.",
    EHOSTUNREACH: "There is no route to the host.",
    ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
    CERT_HAS_EXPIRED: "The certificate has expired.",
    DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed.",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The certificate has no known issuer.",
  };
  return known[code] ?? `There was no answer${code === "" ? "" : ` (${code})`}.`;
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed.`;
  return `Answered ${status}.`;
}

/** As text that PostgreSQL can store. */
function decodeText({ bytes }: Answer): string {
  const text = new TextDecoder().decode(Buffer.concat(bytes));
  return text.replaceAll("\0", "").slice(0, answerCharsMax);
}
