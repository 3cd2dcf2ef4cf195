// Calls the upstream of a call's current route and records how it went, for the call and for the route. One
// attempt; it is aborted when the process has to end its answers, and when its client disconnects and its
// cost is known without the end.
import { type Fault, toFault } from "@turnpike/base";
import type { ModelRequest, Route } from "@turnpike/catalog";
import { callUpstream, type UpstreamAnswer, type UpstreamLimits } from "@turnpike/providers";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "./completion.ts";
import type { Gateway } from "./gateway.ts";
import { noneWorks } from "./routing/plan-routes.ts";

/** What is different about an attempt that is not the first. */
export type FurtherAttempt = {
  readonly freshConnection: boolean;
  /** The part of the call's total time that has passed. */
  readonly spentMs: number;
};

/** Rejects with a Fault; the attempt is on record either way. */
export async function openRoute<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  further?: FurtherAttempt,
): Promise<UpstreamAnswer> {
  const { request, route, upstream, call } = completion;
  const { accountId } = call.principal;
  const { provider, upstreamModel } = route;
  const health = gateway.routeHealth.of(route);
  const startedAtMs = performance.now();
  if (health.reasonToSkip(accountId, startedAtMs) !== undefined) {
    // It became unavailable while the money was being reserved.
    upstream.state = "refused";
    const caller = { health: gateway.routeHealth, accountId, nowMs: startedAtMs };
    throw noneWorks(caller, completion.matched.model, [route]);
  }
  gateway.failpoint("before-upstream");
  upstream.begin(health, accountId);
  try {
    const answer = await callUpstream(
      {
        provider,
        upstreamModel,
        request,
        maxTokens: completion.reservation.maxTokens,
        coveredTokens: completion.reservation.coveredTokens,
        omittedFields: omittedFields(completion.matched, route),
        stamp: completion.stamp,
        freshConnection: further?.freshConnection ?? false,
      },
      {
        endSignal: completion.endSignal,
        client: completion,
        log: upstream,
        limits: limitsOf(gateway, request, further),
        allowPrivate: gateway.allowPrivateUpstreams,
      },
    );
    const nowMs = performance.now();
    const waitedMs = nowMs - startedAtMs;
    const success = { status: 200, firstByteMs: waitedMs, error: null };
    completion.answered({ provider: provider.id, model: upstreamModel, ...success }, waitedMs);
    health.succeeded(accountId, nowMs, request.stream ? waitedMs : undefined);
    upstream.upstreamId = answer.upstreamId;
    return answer;
  } catch (thrown) {
    const fault = toFault(thrown);
    endAttempt(completion, fault, startedAtMs);
    throw fault;
  }
}

function endAttempt<Request extends ParsedRequest>(
  completion: Completion<Request>,
  fault: Fault,
  startedAtMs: number,
): void {
  const { route, upstream } = completion;
  const status = fault.details.upstreamStatus ?? 0;
  const failure = { status, firstByteMs: null, error: fault.code };
  const names = { provider: route.provider.id, model: route.upstreamModel };
  upstream.record({ ...names, ...failure }, performance.now() - startedAtMs);
  upstream.routeFailed(fault);
  completion.refused(fault);
}

/**
 * Admitted without the capability, `dimensions` is the model's own length; and a client that asks
 * every model to think gets an answer from one that cannot.
 */
function omittedFields({ operation, model }: ModelRequest, route: Route): readonly string[] {
  if (operation === "embeddings") {
    return model.capabilities.includes("dimensions") ? [] : ["dimensions"];
  }
  if (route.parameters !== undefined) return undeclared(route, route.parameters);
  return model.capabilities.includes("reasoning") ? [] : reasoningFields;
}

const reasoningFields = ["reasoning", "reasoning_effort", "include_reasoning"];

/** The preferences that a catalogue lists for models that obey them. Others have no common name. */
const declarable = [
  ...["temperature", "top_p", "top_k", "min_p", "top_a", "seed", "verbosity"],
  ...["frequency_penalty", "presence_penalty", "repetition_penalty"],
];

/** By route; a reload of the catalogue creates new routes. */
const undeclaredBy = new WeakMap<Route, readonly string[]>();

function undeclared(route: Route, parameters: readonly string[]): readonly string[] {
  let omitted = undeclaredBy.get(route);
  if (omitted === undefined) {
    const lacks = (name: string) => !parameters.includes(name);
    const reasons = !reasoningFields.every(lacks);
    omitted = [...declarable.filter(lacks), ...(reasons ? [] : reasoningFields)];
    undeclaredBy.set(route, omitted);
  }
  return omitted;
}

/** All attempts of a call share the time of one. */
function limitsOf(
  { limits }: Gateway,
  request: ParsedRequest,
  further: FurtherAttempt | undefined,
): UpstreamLimits {
  const own = request.operation === "embeddings" ? limits.embeddings : ofChat(limits, request);
  if (further === undefined) return own;
  return { ...own, totalMs: Math.max(1, Math.round(own.totalMs - further.spentMs)) };
}

function ofChat(limits: Gateway["limits"], { stream }: ParsedRequest): UpstreamLimits {
  return stream ? limits.stream : limits.whole;
}
