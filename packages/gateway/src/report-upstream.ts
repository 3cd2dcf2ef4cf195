// What an operator learns of a provider that fails: a count per outcome, and a line in the log where the
// failure is the provider's and not the caller's.
import type { Fault, FaultCode } from "@turnpike/base";
import type { Ending, UpstreamState } from "./bill-ending.ts";
import type { Story } from "./completion.ts";
import type { Gateway } from "./gateway.ts";

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

/** Once per call, when it has ended. */
export function reportUpstream(
  gateway: Pick<Gateway, "metrics" | "log">,
  { call, model }: Story,
  ending: Ending,
  upstream: UpstreamState,
): void {
  const fault = findFailure(ending);
  if (fault === undefined && upstream !== "accepted") return;
  const [route] = model.routes;
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
