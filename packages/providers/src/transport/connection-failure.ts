// What broke a connection, as Bun's `fetch` names it: whether the provider was reached at all.
import type { Fault } from "@turnpike/base";

/** `connect`: not reached, or its certificate is invalid. `reset`: it closed the connection. */
export type ConnectionFailure = "connect" | "name" | "reset";

const names = new Set(["ENOTFOUND", "EAI_AGAIN", "FailedToOpenSocket", "DNSResolutionFailed"]);
const unreached = new Set([
  "ECONNREFUSED",
  "ConnectionRefused",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "EPROTO",
  "ERR_SSL_WRONG_VERSION_NUMBER",
]);
const closed = new Set(["ECONNRESET", "ConnectionClosed", "EPIPE"]);

/** For what `fetch` threw. Undefined if it was not the connection that failed. */
export function connectionFailureIn(thrown: unknown): ConnectionFailure | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  const code = String(thrown.code);
  if (names.has(code)) return "name";
  if (unreached.has(code)) return "connect";
  return closed.has(code) ? "reset" : undefined;
}

/** The same for a Fault, by its cause. */
export function connectionFailureOf({ details }: Fault): ConnectionFailure | undefined {
  return connectionFailureIn(details.cause);
}
