// What an operator learns about a provider that fails: a count per outcome, and a log line where the
// failure is the provider's and not the caller's.
import type { Fault, FaultCode } from "@turnpike/base";
import type { Route } from "@turnpike/catalog";
import type { Ending } from "./bill-ending.ts";
import type { AuthenticatedCall, Gateway } from "./gateway.ts";
import type { UpstreamLog } from "./open-route.ts";

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

export type ReportedCall = {
  readonly call: AuthenticatedCall;
  readonly route: Route;
  readonly upstream: Pick<UpstreamLog, "state">;
};

/** Once per call, when it has ended. */
export function reportUpstream(
  gateway: Pick<Gateway, "metrics" | "log">,
  { call, route, upstream }: ReportedCall,
  ending: Ending,
): void {
  const fault = findFailure(ending);
  if (fault === undefined && upstream.state !== "accepted") return;
  const names = { provider: route.provider.id, route: route.upstreamModel };
  gateway.metrics.countUpstreamAttempt({ ...names, outcome: fault?.code ?? "ok" });
  if (fault === undefined || callersOwn.has(fault.code)) return;
  const { cause, upstreamStatus } = fault.details;
  const reason = cause instanceof Error ? cause.message : fault.message;
  gateway.log.warn(
    {
      ...names,
      generationId: call.generationId,
      code: fault.code,
      upstreamStatus,
      reason: reason.slice(0, messageMaxChars),
    },
    "provider failed",
  );
}

/** Also of a call that was run to its end after its client had left. */
function findFailure(ending: Ending): Fault | undefined {
  if (ending.outcome === "upstream_failed") return ending.fault;
  const left = ending.outcome === "client_closed" ? ending.fault : undefined;
  return left?.code === "client_closed_request" ? undefined : left;
}
