// What the end of a call tells about its last attempt: to its route; and to the operator, a count per
// outcome and a log line if the failure is the provider's and not the caller's.
import { createHmac, randomBytes } from "node:crypto";
import type { Fault, FaultCode } from "@turnpike/base";
import type { Model, Route } from "@turnpike/catalog";
import type { Gateway } from "../gateway.ts";
import type { StatusTally } from "../routing/status-tally.ts";
import type { CallProgress } from "../upstream-log.ts";
import type { Ending } from "./bill-ending.ts";

/** Refusals of a request, which are not the provider's fault. */
const callersOwn: ReadonlySet<FaultCode> = new Set([
  "upstream_rejected",
  "context_length_exceeded",
  "content_filter",
  "client_closed_request",
  "shutting_down",
]);

/** Of what is logged: enough to act on. */
const messageMaxChars = 300;

type Reports = {
  readonly metrics: Pick<Gateway["metrics"], "countUpstreamAttempt">;
  readonly status: Pick<StatusTally, "countAttempt" | "countCall">;
  readonly log: Pick<Gateway["log"], "warn" | "trace">;
};

/** The call and the route of an attempt, as far as they are named. */
type Attempted = {
  readonly call: Pick<CallProgress["call"], "generationId" | "requestId"> & {
    readonly principal: Pick<CallProgress["call"]["principal"], "accountId">;
  };
  readonly route: Pick<Route, "provider" | "upstreamModel">;
  readonly modelRequest: { readonly model: Pick<Model, "id"> };
};

/** Once per call, when it has ended: how its last attempt went. */
export function reportUpstream(gateway: Reports, ended: CallProgress, ending: Ending): void {
  const fault = findFailure(ending);
  recordOutcome(ended, ending, fault);
  if (fault !== undefined) reportFailure(gateway, ended, fault);
  else if (ended.upstream.state === "accepted") countAttempt(gateway, ended, undefined);
  else return;
  gateway.status.countCall(ended.modelRequest.model.id, fault?.code);
}

/** An attempt that failed, whether it was the last one or not. */
export function reportFailure(gateway: Reports, attempted: Attempted, fault: Fault): void {
  const { call, route } = attempted;
  countAttempt(gateway, attempted, fault.code);
  if (callersOwn.has(fault.code)) return;
  const { cause, upstreamStatus, upstreamText } = fault.details;
  const { generationId, requestId, principal } = call;
  const reason = cause instanceof Error ? cause.message : fault.message;
  gateway.log.warn(
    {
      provider: route.provider.id,
      route: route.upstreamModel,
      generationId,
      requestId,
      accountId: principal.accountId,
      code: fault.code,
      upstreamStatus,
      ...(upstreamText === undefined
        ? { reason: reason.slice(0, messageMaxChars) }
        : { messageChars: upstreamText.length, messageHash: hashOf(upstreamText) }),
    },
    "provider failed",
  );
  if (upstreamText === undefined) return;
  const message = upstreamText.slice(0, messageMaxChars);
  gateway.log.trace({ generationId, message }, "the provider's message");
}

/** Without it a reader of the log could confirm a guess of a prompt that the message repeats. */
const hashKey = randomBytes(32);

/** Equal messages are recognized by it, in the log of one process. */
function hashOf(text: string): string {
  return createHmac("sha256", hashKey).update(text).digest("hex").slice(0, 16);
}

function countAttempt(
  { metrics, status }: Reports,
  { route, modelRequest }: Attempted,
  code: FaultCode | undefined,
): void {
  const { provider, upstreamModel } = route;
  const outcome = code ?? "ok";
  metrics.countUpstreamAttempt({ provider: provider.id, route: upstreamModel, outcome });
  status.countAttempt(modelRequest.model.id, provider.id, code);
}

/** An attempt that failed before its answer began has already been reported to its route. */
function recordOutcome(ended: CallProgress, ending: Ending, fault: Fault | undefined): void {
  const { call, upstream, modelRequest, relayedTokens, firstByteMs, elapsedMs } = ended;
  if (fault !== undefined) upstream.routeFailed(fault, call.principal.accountId);
  else if (modelRequest.request.stream && ending.outcome === "completed") {
    upstream.busyRoute?.measured(relayedTokens, elapsedMs - (firstByteMs ?? elapsedMs));
  }
  upstream.leaveRoute();
}

/** Also for a call that was run to its end after its client had disconnected. */
function findFailure(ending: Ending): Fault | undefined {
  if (ending.outcome === "upstream_failed") return ending.fault;
  const left = ending.outcome === "client_closed" ? ending.fault : undefined;
  return left?.code === "client_closed_request" ? undefined : left;
}
