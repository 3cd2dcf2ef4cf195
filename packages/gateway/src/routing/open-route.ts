// Calls the upstream of a call's current route and records how it went, for the call and for the route. One
// attempt; it is aborted when the process has to end its answers, and when its client disconnects and its
// cost is known without the end.
import type { Fault, FaultCode } from "@turnpike/base";
import { billsTokens, type Route } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import {
  type AttemptLog,
  callUpstream,
  type Patience,
  type Provider,
  type UpstreamAnswer,
  type UpstreamAttempt,
  type UpstreamLimits,
} from "@turnpike/providers";
import type { AttemptTrace } from "@turnpike/telemetry";
import type { AnswerIdentity, ParsedRequest } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import type { Gateway } from "../gateway.ts";
import { findOtherRoute } from "./find-other-route.ts";
import { firstByteTimeoutMs, mayGiveUp, statedTimeoutMs } from "./first-byte-timeout.ts";
import { omittedFields } from "./omitted-fields.ts";
import { noneWorks, type RoutePlan } from "./plan-routes.ts";
import type { RouteHealth } from "./route-health.ts";

/** What is different about an attempt that is not the first. */
export type FurtherAttempt = {
  readonly freshConnection: boolean;
  /** The part of the call's total time that has passed. */
  readonly spentMs: number;
  /** Whether there may be another one after it. */
  readonly hasNext: () => boolean;
};

/** Throws or rejects with a Fault; the attempt is on record either way. */
export function openRoute<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  plan: RoutePlan,
  further?: FurtherAttempt,
): Promise<UpstreamAnswer> {
  const { route, upstream, call } = completion;
  const { accountId } = call.principal;
  const health = gateway.routeHealth.of(route);
  const nowMs = performance.now();
  if (health.reasonToSkip(accountId, nowMs) !== undefined) {
    // It became unavailable while the money was being reserved.
    upstream.state = "refused";
    const caller = { health: gateway.routeHealth, accountId, nowMs };
    throw noneWorks(caller, completion.modelRequest.model, [route]);
  }
  gateway.failpoint("before-upstream");
  upstream.begin(health, accountId);
  return callUpstream(new Attempt(gateway, completion, health, plan, further));
}

/** One attempt, which records how it went. */
class Attempt<Request extends ParsedRequest>
  implements UpstreamAttempt<Request>, AttemptLog, Patience
{
  readonly client: Completion<Request>;
  readonly request: Request;
  readonly provider: Provider;
  readonly upstreamModel: string;
  readonly maxTokens: number | undefined;
  readonly coveredTokens: number;
  readonly omittedFields: readonly string[];
  readonly needsUsage: boolean;
  readonly identity: AnswerIdentity;
  readonly freshConnection: boolean;
  readonly endSignal: AbortSignal;
  readonly limits: UpstreamLimits;
  readonly allowPrivate: boolean;
  readonly giveUpMs: number;
  readonly #plan: RoutePlan;
  readonly #further: FurtherAttempt | undefined;
  readonly #gateway: Gateway;
  readonly #health: RouteHealth;
  readonly #trace: AttemptTrace | undefined;
  readonly #startedAtMs = performance.now();

  constructor(
    gateway: Gateway,
    completion: Completion<Request>,
    health: RouteHealth,
    plan: RoutePlan,
    further: FurtherAttempt | undefined,
  ) {
    const { request, route, modelRequest, reservation } = completion;
    this.client = completion;
    this.request = request;
    this.provider = route.provider;
    this.upstreamModel = route.upstreamModel;
    this.maxTokens = reservation.maxTokens;
    this.coveredTokens = reservation.coveredTokens;
    this.omittedFields = omittedFields(modelRequest, route);
    this.needsUsage = request.operation === "speech" && billsTokens(modelRequest, route);
    this.identity = completion.identity;
    this.freshConnection = further?.freshConnection ?? false;
    this.endSignal = completion.endSignal;
    this.limits = limitsOf(gateway, request, route, further);
    this.allowPrivate = gateway.allowPrivateUpstreams;
    this.giveUpMs = firstByteTimeoutMs(gateway, modelRequest.model, route, request.stream);
    this.#plan = plan;
    this.#further = further;
    this.#gateway = gateway;
    this.#health = health;
    this.#trace = completion.call.trace?.attempt(route.provider.id, route.upstreamModel);
    completion.upstream.trace = this.#trace;
  }

  get traceparent(): string | undefined {
    return this.#trace?.traceparent;
  }

  get log(): AttemptLog {
    return this;
  }

  get patience(): Patience {
    return this;
  }

  mayGiveUp(): boolean {
    const { client } = this;
    const isOther = () =>
      findOtherRoute(this.#gateway, client, this.#plan, { isRunning: true }) !== undefined;
    const hasNext = this.#further?.hasNext ?? isOther;
    return mayGiveUp(this.#gateway, client, this.#startedAtMs, hasNext);
  }

  sent(ignored: readonly string[]): void {
    this.client.upstream.sent(ignored);
  }

  sendsAgain(): void {
    this.client.upstream.sendsAgain();
  }

  accepted(): void {
    this.client.upstream.accepted();
  }

  answered({ upstreamId }: UpstreamAnswer): void {
    const { accountId } = this.client.call.principal;
    const nowMs = performance.now();
    const waitedMs = nowMs - this.#startedAtMs;
    this.client.answered(this.#describe(200, waitedMs, null), waitedMs);
    const { stream } = this.request;
    this.#health.succeeded(accountId, nowMs, stream ? waitedMs : undefined);
    if (stream) {
      this.#trace?.firstToken();
      const { id } = this.provider;
      const { metrics, status } = this.#gateway;
      metrics.observeUpstreamFirstToken(id, this.upstreamModel, waitedMs);
      status.countFirstToken(this.client.modelRequest.model.id, id, waitedMs);
    } else if (waitedMs > this.#gateway.times.giveUpWholeMs / 2) {
      const { id } = this.client.modelRequest.model;
      this.#gateway.routeHealth.wholeWaits.note(id, waitedMs, nowMs);
    }
    this.client.upstream.upstreamId = upstreamId;
  }

  failed(fault: Fault): void {
    const { upstream, call } = this.client;
    const waitedMs = performance.now() - this.#startedAtMs;
    const status = fault.details.upstreamStatus ?? 0;
    upstream.record(this.#describe(status, waitedMs, fault.code), waitedMs);
    upstream.routeFailed(fault, call.principal.accountId);
    this.client.refused(fault);
    this.#trace?.end(fault.code);
  }

  #describe(status: number, waitedMs: number, error: FaultCode | null): RequestAttempt {
    const { provider, upstreamModel: model } = this;
    const startedMs = this.#startedAtMs - this.client.call.receivedAtMs;
    const firstByteMs = error === null ? waitedMs : null;
    return { provider: provider.id, model, status, firstByteMs, error, startedMs, waitedMs };
  }
}

/** Vectors and images are far longer than text. */
function hasLargeAnswer(request: ParsedRequest): boolean {
  if (request.operation === "chat") return request.extras?.answersIn === "images";
  return request.operation === "embeddings" || request.operation === "image";
}

/** All attempts of a call share the time of one. */
function limitsOf(
  { limits }: Gateway,
  request: ParsedRequest,
  route: Route,
  further: FurtherAttempt | undefined,
): UpstreamLimits {
  const ofChat = request.stream ? limits.stream : limits.whole;
  const own = hasLargeAnswer(request) ? limits.large : ofChat;
  const statedMs = statedTimeoutMs(route, request.stream) ?? 0;
  if (further === undefined && statedMs <= own.firstByteMs) return own;
  return {
    ...own,
    firstByteMs: Math.max(statedMs, own.firstByteMs),
    totalMs: Math.max(1, Math.round(own.totalMs - (further?.spentMs ?? 0))),
  };
}
