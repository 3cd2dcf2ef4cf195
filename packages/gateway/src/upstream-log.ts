// How one call went: its attempts, how long it waited for them, the route that is currently serving it, and
// what the bill, the row and the metrics of the call are made from.
import type { AccountId, Fault } from "@turnpike/base";
import type { ModelRequest, Route } from "@turnpike/catalog";
import type { RequestAttempt } from "@turnpike/db";
import type { FinishWords } from "@turnpike/providers";
import type { AttemptTrace } from "@turnpike/telemetry";
import type { UnitCount } from "@turnpike/terms";
import type { ParsedRequest, TokenUsage } from "@turnpike/wire";
import type { AuthenticatedCall } from "./gateway.ts";
import type { Reservation } from "./money/reserve-money.ts";
import { recordFailure } from "./routing/record-failure.ts";
import type { RetryBudget } from "./routing/retry-budget.ts";
import type { Trial } from "./routing/route-breakers.ts";
import type { RouteHealth } from "./routing/route-health.ts";

/** How far a call has come; once it has ended, how it went. */
export type CallProgress = {
  readonly call: AuthenticatedCall;
  readonly request: ParsedRequest;
  /** The model and the route of the attempt under way: the one that is billed in the end. */
  readonly modelRequest: ModelRequest;
  readonly route: Route;
  readonly reservation: Reservation;
  readonly upstream: UpstreamLog;
  /** Output tokens sent to the client so far, by our own count. */
  readonly relayedTokens: number;
  /** The part of them that is audio. */
  readonly relayedAudioTokens: number;
  /** The images in a chat, which none of these tokens are. */
  readonly relayedImages: number;
  /** What a whole answer delivered that is billed by other units. */
  readonly relayedUnits: readonly UnitCount[] | undefined;
  /** What the upstream had reported before its answer was complete. */
  readonly usageSoFar: TokenUsage | undefined;
  /** Why the model stopped, as far as it said. */
  readonly finish: FinishWords | null;
  /** Whether the status line was sent, with 200. */
  readonly committed: boolean;
  readonly firstByteMs: number | null;
  /** Since the call was received. */
  readonly elapsedMs: number;
};

/**
 * What the upstream did with a call. Until the request is sent, and while a token is obtained for it, the
 * state is "not_asked"; then there is no answer yet, or the upstream answered 200, or refused. Of a further
 * attempt it stays "refused" until its request is sent.
 */
export type UpstreamState = "not_asked" | "asked" | "accepted" | "refused";

export class UpstreamLog {
  readonly attempts: RequestAttempt[] = [];
  state: UpstreamState = "not_asked";
  /** The preferences that the last attempt was made without, by their names in a chat completion. */
  ignored: readonly string[] = [];
  /** Whether the last attempt was answered with 200, however it ended. */
  wasAccepted = false;
  /** The provider's own id of the answer, for questions to its support. */
  upstreamId: string | undefined;
  /** Of the last attempt of a call that is traced. */
  trace: AttemptTrace | undefined;
  #waitedMs = 0;
  #hasRetry = false;
  #askedAtMs: number | undefined;
  #busyRoute: RouteHealth | undefined;
  /** The breaker that the attempt under way tests, if one was open. */
  #trial: Trial;

  /** How long the call has waited for upstreams so far. */
  get waitMs(): number {
    const waitingMs = this.#askedAtMs === undefined ? 0 : performance.now() - this.#askedAtMs;
    return this.#waitedMs + waitingMs;
  }

  /** The upstream is working on something, or may be. */
  get isRunning(): boolean {
    return this.state === "asked" || this.state === "accepted";
  }

  /** The route whose attempt is not over; undefined if it failed or was never made. */
  get busyRoute(): RouteHealth | undefined {
    return this.#busyRoute;
  }

  /** One attempt at one route begins; nothing is sent yet. */
  begin(health: RouteHealth, accountId: AccountId): void {
    const nowMs = performance.now();
    this.#askedAtMs = nowMs;
    this.wasAccepted = false;
    this.#busyRoute = health;
    this.#trial = health.enter(accountId, nowMs);
  }

  /** The request goes out: from now on the upstream may work on it, and it may cost something. */
  sent(ignored: readonly string[]): void {
    this.state = "asked";
    this.ignored = ignored;
  }

  /** The upstream did not run it; it is sent again in another form. */
  sendsAgain(): void {
    this.state = "refused";
  }

  /** Takes the next attempt from the budget, for `spendRetry`; false if it has none. */
  reserveRetry(budget: RetryBudget, accountId: AccountId): boolean {
    this.#hasRetry = budget.spend(accountId, performance.now(), { isSpare: true });
    return this.#hasRetry;
  }

  /** Whether the budget has a further attempt, unless one was reserved. */
  spendRetry(budget: RetryBudget, accountId: AccountId): boolean {
    if (!this.#hasRetry) return budget.spend(accountId, performance.now());
    this.#hasRetry = false;
    return true;
  }

  /** The upstream answered 200; its first token may be a long way off. */
  accepted(): void {
    this.state = "accepted";
    this.wasAccepted = true;
  }

  /** One attempt was answered or failed. */
  record(attempt: RequestAttempt, waitedMs: number): void {
    this.#askedAtMs = undefined;
    this.#waitedMs += waitedMs;
    this.attempts.push(attempt);
  }

  /** The attempt failed: its route is told why. Does nothing where the attempt is over. */
  routeFailed(fault: Fault, accountId: AccountId): void {
    if (this.#busyRoute === undefined) return;
    recordFailure(this.#busyRoute, fault, { accountId, trial: this.#trial });
    this.leaveRoute();
  }

  /** The route has finished with the call; only the first invocation counts. */
  leaveRoute(): void {
    this.#busyRoute?.leave(this.#trial);
    this.#busyRoute = undefined;
  }
}
