// What a failed attempt says: to the operator (a count per outcome, and a log line where the failure is the
// provider's and not the caller's), to its route, and about trying again. The table is the published one of
// docs/routing.md.
import type { AccountId, Fault, FaultCode } from "@turnpike/base";
import type { Route } from "@turnpike/catalog";
import { connectionFailureOf } from "@turnpike/providers";
import type { Ending } from "./bill-ending.ts";
import type { Gateway } from "./gateway.ts";
import type { Trial } from "./route-breakers.ts";
import type { RouteFailure, RouteHealth } from "./route-health.ts";
import type { CallProgress } from "./upstream-log.ts";

/** Refusals of a request, for which the provider is not to blame. */
const callersOwn: ReadonlySet<FaultCode> = new Set([
  "upstream_rejected",
  "context_length_exceeded",
  "content_filter",
  "client_closed_request",
  "shutting_down",
]);

/** Of the operator's own provider account and of error pages: enough to act upon. */
const messageMaxChars = 300;

type Reports = Pick<Gateway, "metrics" | "log">;

/** Once per call, when it has ended: how its last attempt did. */
export function reportUpstream(gateway: Reports, ended: CallProgress, ending: Ending): void {
  const fault = findFailure(ending);
  tellRoute(ended, ending, fault);
  if (fault !== undefined) reportFailure(gateway, ended, fault);
  else if (ended.upstream.state === "accepted") countAttempt(gateway, ended.route, "ok");
}

/** An attempt that failed, be it the last one or not. */
export function reportFailure(
  gateway: Reports,
  { call, route }: Pick<CallProgress, "call" | "route">,
  fault: Fault,
): void {
  countAttempt(gateway, route, fault.code);
  if (callersOwn.has(fault.code)) return;
  const { cause, upstreamStatus } = fault.details;
  const reason = cause instanceof Error ? cause.message : fault.message;
  gateway.log.warn(
    {
      provider: route.provider.id,
      route: route.upstreamModel,
      generationId: call.generationId,
      code: fault.code,
      upstreamStatus,
      reason: reason.slice(0, messageMaxChars),
    },
    "provider failed",
  );
}

function countAttempt({ metrics }: Reports, route: Route, outcome: string): void {
  const { provider, upstreamModel } = route;
  metrics.countUpstreamAttempt({ provider: provider.id, route: upstreamModel, outcome });
}

/** An attempt that failed before its answer began has told its route already. */
function tellRoute(ended: CallProgress, ending: Ending, fault: Fault | undefined): void {
  const { upstream, asked, relayedTokens, firstByteMs, elapsedMs } = ended;
  const { busyRoute, trial } = upstream;
  if (busyRoute === undefined) return;
  if (fault !== undefined) {
    recordFailure(busyRoute, fault, { accountId: ended.call.principal.accountId, trial });
  } else if (asked.request.stream && ending.outcome === "completed") {
    busyRoute.measured(relayedTokens, elapsedMs - (firstByteMs ?? elapsedMs));
  }
  upstream.leaveRoute();
}

/** Also of a call that was run to its end after its client had left. */
function findFailure(ending: Ending): Fault | undefined {
  if (ending.outcome === "upstream_failed") return ending.fault;
  const left = ending.outcome === "client_closed" ? ending.fault : undefined;
  return left?.code === "client_closed_request" ? undefined : left;
}

/** What a failed attempt means for the call. */
export type AttemptFailure =
  /** The request itself: only another model may answer it. */
  | "request"
  /** The provider asks for a pause. */
  | "rate_limited"
  /** Another route may answer. */
  | "failed"
  /** A bug of ours, the client's leaving, our own shutdown: nothing is tried again. */
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

/** Statuses that speak of our key or our balance at the provider. */
const aboutCredentials: ReadonlySet<number | undefined> = new Set([401, 402, 403]);

/** How long a name that does not resolve is believed not to. */
const unresolvedMs = 1_000;

export function failureOf(fault: Fault): AttemptFailure {
  return failures[fault.code] ?? "final";
}

/** Whether the provider refused us rather than the request. */
export function refusesCredentials({ code, details }: Fault): boolean {
  return code === "bad_gateway" && aboutCredentials.has(details.upstreamStatus);
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
  if (refusesCredentials(fault)) {
    return fault.details.upstreamStatus === 403 ? "forbidden" : "credentials";
  }
  const broken = connectionFailureOf(fault);
  return broken === "connect" || broken === "name" ? "connect" : "upstream";
}
