// What a failed attempt means: for its route, and for trying again. The table is the published one of
// docs/routing.md.
import type { AccountId, Fault, FaultCode } from "@turnpike/base";
import { connectionFailureOf } from "@turnpike/providers";
import type { Trial } from "./route-breakers.ts";
import type { RouteFailure, RouteHealth } from "./route-health.ts";

/** What a failed attempt means for the call. */
export type AttemptFailure =
  /** The request itself: only another model may answer it. */
  | "request"
  /** The provider asks for a pause. */
  | "rate_limited"
  /** Another route may answer. */
  | "failed"
  /** Our own bug, a disconnected client, our own shutdown: nothing is tried again. */
  | "final";

const failures: Partial<Record<FaultCode, AttemptFailure>> = {
  upstream_rejected: "request",
  context_length_exceeded: "request",
  content_filter: "request",
  upstream_rate_limited: "rate_limited",
  upstream_overloaded: "failed",
  bad_gateway: "failed",
  upstream_timeout: "failed",
};

/** Statuses that are about our key or our balance at the provider. */
const aboutCredentials: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/** How long a name that does not resolve is not tried again. */
const unresolvedMs = 1_000;

export function failureOf(fault: Fault): AttemptFailure {
  return failures[fault.code] ?? "final";
}

/** Whether the provider refused us rather than the request: our account there, or our name for the model. */
export function refusesUs({ code, details }: Fault): boolean {
  if (code !== "bad_gateway") return false;
  return details.upstreamRefuses !== undefined || aboutCredentials.has(details.upstreamStatus);
}

/** Tells a route how an attempt at it failed. */
export function recordFailure(
  health: RouteHealth,
  fault: Fault,
  { accountId, trial }: { readonly accountId: AccountId; readonly trial: Trial },
): void {
  const nowMs = performance.now();
  const failure = failureOf(fault);
  if (failure === "final") return;
  if (failure === "failed") health.failed(blameOf(fault), accountId, nowMs, trial);
  else health.succeeded(accountId, nowMs, undefined);
  const { retryAfterMs } = fault.details;
  if (failure === "rate_limited" && retryAfterMs !== undefined) health.pause(retryAfterMs, nowMs);
  if (connectionFailureOf(fault) === "name") health.pause(unresolvedMs, nowMs);
}

function blameOf(fault: Fault): RouteFailure {
  const { upstreamRefuses, upstreamStatus } = fault.details;
  if (upstreamRefuses === "model") return "model";
  if (refusesUs(fault)) return upstreamStatus === 403 ? "forbidden" : "account";
  const broken = connectionFailureOf(fault);
  return broken === "connect" || broken === "name" ? "connect" : "upstream";
}
