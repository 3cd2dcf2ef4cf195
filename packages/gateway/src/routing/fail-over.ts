// The attempts after the first one of a call has failed. A further one is made only while nothing of an answer was
// sent to the client (comments are not), at most twice, and within the retry budget of the process; each is
// recorded, and failed attempts cost nothing.
import { Fault, offSharedAbort, onSharedAbort, toFault } from "@turnpike/base";
import type { Model, Route } from "@turnpike/catalog";
import { connectionFailureOf, type UpstreamAnswer } from "@turnpike/providers";
import type { RetryReason } from "@turnpike/telemetry";
import type { ParsedRequest } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import { reportFailure } from "../ending/report-upstream.ts";
import type { Gateway } from "../gateway.ts";
import { findOtherRoute } from "./find-other-route.ts";
import { openRoute } from "./open-route.ts";
import type { Candidate, RoutePlan } from "./plan-routes.ts";
import { failureOf, refusesUs } from "./record-failure.ts";

const furtherAttempts = 2;
/** The longest pause a provider may ask for before its next attempt; all pauses of a call together. */
const pauseMaxMs = 5_000;

type Next = {
  readonly candidate: Candidate;
  readonly reason: RetryReason;
  readonly waitMs: number;
};

/** The attempts of one call after the first has failed. */
export class Failover<Request extends ParsedRequest> {
  readonly #gateway: Gateway;
  readonly #completion: Completion<Request>;
  readonly #plan: RoutePlan;
  readonly #tried: { readonly routes: Set<Route>; readonly refusedBy: Set<Model> };
  /** When the first attempt began. */
  readonly #startedAtMs: number;
  #pausedMs = 0;
  #reconnected = false;

  constructor(gateway: Gateway, completion: Completion<Request>, plan: RoutePlan) {
    this.#gateway = gateway;
    this.#completion = completion;
    this.#plan = plan;
    this.#tried = { routes: new Set([completion.route]), refusedBy: new Set() };
    this.#startedAtMs = performance.now() - completion.upstream.waitMs;
  }

  /** Rejects with the Fault of the last attempt. */
  async recover(first: Fault): Promise<UpstreamAnswer> {
    let fault = first;
    for (let further = 0; further < furtherAttempts; further += 1) {
      const next = this.#completion.mayGoElsewhere ? this.#chooseNext(fault) : undefined;
      if (next === undefined || !this.#maySpend()) break;
      // Failed attempts cost nothing, even if the client disconnects before the next one.
      this.#completion.upstream.state = "refused";
      await this.#pause(next.waitMs);
      if (!this.#completion.mayGoElsewhere) break;
      reportFailure(this.#gateway, this.#completion, fault);
      this.#gateway.metrics.countRetry(next.reason);
      this.#tried.routes.add(next.candidate.route);
      this.#completion.switchTo(next.candidate);
      try {
        return await openRoute(this.#gateway, this.#completion, this.#plan, {
          freshConnection: next.reason === "reset",
          spentMs: performance.now() - this.#startedAtMs,
          hasNext: () => further + 1 < furtherAttempts && this.#findOther(true) !== undefined,
        });
      } catch (thrown) {
        fault = toFault(thrown);
      }
    }
    throw this.#finalFault(fault);
  }

  #maySpend(): boolean {
    const { call, upstream } = this.#completion;
    return upstream.spendRetry(this.#gateway.retryBudget, call.principal.accountId);
  }

  #chooseNext(fault: Fault): Next | undefined {
    const failure = failureOf(fault);
    if (failure === "final") return undefined;
    const { modelRequest, route } = this.#completion;
    if (failure === "request") this.#tried.refusedBy.add(modelRequest.model);
    const same = { modelRequest, route };
    if (this.#wasStaleConnection(fault)) {
      this.#reconnected = true;
      return { candidate: same, reason: "reset", waitMs: 0 };
    }
    const other = this.#findOther(false);
    if (other !== undefined) {
      const isOtherModel = other.modelRequest.model !== modelRequest.model;
      const waitMs = Math.random() * this.#gateway.times.retryJitterMs;
      return { candidate: other, reason: isOtherModel ? "model" : "route", waitMs };
    }
    const { upstreamWaitMs } = fault.details;
    if (failure !== "rate_limited" || upstreamWaitMs === undefined) return undefined;
    if (this.#pausedMs + upstreamWaitMs > pauseMaxMs) return undefined;
    this.#pausedMs += upstreamWaitMs;
    return { candidate: same, reason: "pause", waitMs: upstreamWaitMs };
  }

  /**
   * Whether a kept-alive connection was closed without a response, as idle ones are. Once: an
   * upstream that received the request may have run it.
   */
  #wasStaleConnection(fault: Fault): boolean {
    const { route, upstream } = this.#completion;
    if (this.#reconnected || connectionFailureOf(fault) !== "reset") return false;
    return !upstream.wasAccepted && this.#gateway.routeHealth.of(route).hasAnswered;
  }

  #findOther(isRunning: boolean): Candidate | undefined {
    const tried = this.#tried;
    return findOtherRoute(this.#gateway, this.#completion, this.#plan, { tried, isRunning });
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { call, endSignal } = this.#completion;
    const timer = setTimeout(resolve, ms);
    call.signal.addEventListener("abort", () => resolve(), { once: true });
    const ending = { handleAbort: () => resolve() };
    onSharedAbort(endSignal, ending);
    await promise;
    clearTimeout(timer);
    offSharedAbort(endSignal, ending);
  }

  /** Says what was tried, and that a client need not retry what was tried everywhere. */
  #finalFault(fault: Fault): Fault {
    const { attempts } = this.#completion.upstream;
    const isPointless =
      refusesUs(fault) ||
      (attempts.length > 1 && (fault.code === "bad_gateway" || fault.code === "upstream_timeout"));
    const previous = attempts.slice(0, -1).map(({ provider, error, status }) => ({
      provider,
      code: error,
      status: status === 0 ? null : status,
    }));
    if (!isPointless && previous.length === 0) return fault;
    return new Fault(fault.code, fault.message, {
      ...fault.details,
      ...(isPointless && { shouldRetry: false }),
      ...(previous.length > 0 && {
        metadata: { ...fault.details.metadata, previous_errors: previous },
      }),
    });
  }
}
