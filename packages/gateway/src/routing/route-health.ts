// How one route is doing: its circuit breakers, the calls that run on it, and how fast it has been. Everything is
// counted in the memory of this process, and nothing here is allocated per call that succeeds.
import type { AccountId, UpstreamRefusal } from "@turnpike/base";
import type { Route } from "@turnpike/catalog";
import { LongestWaits } from "./longest-waits.ts";
import { type RouteBreakerLimits, RouteBreakers, type Trial } from "./route-breakers.ts";

export type RouteLimits = RouteBreakerLimits & {
  /**
   * After this many refusals of our account or of its model in a row other routes come first: these do
   * not recover by themselves.
   */
  readonly refusals: number;
  /** How long other routes come first, until it is tried again. */
  readonly refusedPauseMs: number;
  /** Concurrent calls on a route whose catalog entry sets no limit. */
  readonly maxConcurrent: number;
};

export const routeLimits: RouteLimits = {
  failureShare: 0.5,
  leastCalls: 20,
  accountFailures: 3,
  othersFailures: 3,
  connectFailures: 5,
  openMs: 15_000,
  openMaxMs: 120_000,
  refusals: 3,
  refusedPauseMs: 120_000,
  maxConcurrent: 2_000,
};

/**
 * Why an attempt failed: no connection, our account, our name for the model, a 403 (which is about the
 * account or about the request), or any other failure of the provider.
 */
export type RouteFailure = "connect" | UpstreamRefusal | "forbidden" | "upstream";

/** What a new process needs to know about a route; times are milliseconds until then. */
export type SavedHealth = {
  readonly openForMs: number;
  readonly nextOpenMs: number;
  readonly credentialsRefused: boolean;
  readonly modelRefused: boolean;
  readonly firstByteMs: number | null;
  readonly tokensPerSecond: number | null;
};

/** Weight of the newest figure in the moving averages. */
const newestShare = 0.2;

export type Unavailable = "open" | "full";

export class RouteHealth {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly #onChange: (health: RouteHealth) => void;
  readonly #limits: RouteLimits;
  readonly #breakers: RouteBreakers;
  #refusals = 0;
  /** What the last of them was about. */
  #lastRefused: UpstreamRefusal = "account";
  #lastForbidden: AccountId | undefined;
  #running = 0;
  /** Until then other routes are tried before it: it asked for a pause, or its name did not resolve. */
  #pausedUntilMs = 0;
  maxConcurrent: number;
  #answeredAtMs: number | undefined;
  #firstByteMs: number | undefined;
  #tokensPerSecond: number | undefined;

  /**
   * `onChange` is called when the breaker opens or closes, and when the account or the model is refused
   * or accepted again.
   */
  constructor(
    names: { readonly provider: string; readonly upstreamModel: string },
    onChange: (health: RouteHealth) => void = () => undefined,
    limits: RouteLimits = routeLimits,
  ) {
    this.#limits = limits;
    this.#breakers = new RouteBreakers(limits);
    this.maxConcurrent = limits.maxConcurrent;
    this.provider = names.provider;
    this.upstreamModel = names.upstreamModel;
    this.#onChange = onChange;
  }

  /** Whether it counts as broken: for everybody, or for the only accounts that use it. */
  get isOpen(): boolean {
    return this.#breakers.isOpen;
  }

  /** Whether only trial calls are sent to it. */
  get isOpenForEverybody(): boolean {
    return this.#breakers.isOpenForEverybody;
  }

  /** What the provider refused so often that an operator has to look: our account there, or the model. */
  get refused(): UpstreamRefusal | undefined {
    return this.#refusals >= this.#limits.refusals ? this.#lastRefused : undefined;
  }

  get running(): number {
    return this.#running;
  }

  /** Whether it ever answered this process: only then can a kept-alive connection have expired. */
  get hasAnswered(): boolean {
    return this.#answeredAtMs !== undefined;
  }

  /** Whether it answered any call of this process after that moment. */
  hasAnsweredSince(thenMs: number): boolean {
    return this.#answeredAtMs !== undefined && this.#answeredAtMs > thenMs;
  }

  /** Moving averages; undefined before the first answer. */
  get firstByteMs(): number | undefined {
    return this.#firstByteMs;
  }

  get tokensPerSecond(): number | undefined {
    return this.#tokensPerSecond;
  }

  /** Undefined if a call of this account may be sent now. */
  reasonToSkip(accountId: AccountId, nowMs: number): Unavailable | undefined {
    if (this.#breakers.refuses(accountId, nowMs)) return "open";
    return this.#running >= this.maxConcurrent ? "full" : undefined;
  }

  /** Nothing prevents the account's next call. */
  isReady(accountId: AccountId, nowMs: number): boolean {
    return this.reasonToSkip(accountId, nowMs) === undefined && !this.isPaused(nowMs);
  }

  isPaused(nowMs: number): boolean {
    return nowMs < this.#pausedUntilMs;
  }

  /** It answers again after `ms`, as the provider stated. */
  pause(ms: number, nowMs: number): void {
    this.#pausedUntilMs = nowMs + ms;
  }

  /** How long until a call of this account may be sent, as far as that is known. */
  waitMs(accountId: AccountId, nowMs: number): number {
    return this.#breakers.waitMs(accountId, nowMs);
  }

  /** One attempt begins; returns the open breaker it tests. Check `reasonToSkip` first. */
  enter(accountId: AccountId, nowMs: number): Trial {
    this.#running += 1;
    return this.#breakers.enter(accountId, nowMs);
  }

  /** The attempt is over, even if it ended without a verdict on the route. */
  leave(trial: Trial): void {
    this.#running -= 1;
    trial?.endTrial();
  }

  /** The provider answered, possibly with a refusal of the request. */
  succeeded(accountId: AccountId, nowMs: number, firstByteMs: number | undefined): void {
    this.#answeredAtMs = nowMs;
    if (this.#refusals > 0) this.#acceptAgain();
    if (firstByteMs !== undefined) this.#firstByteMs = average(this.#firstByteMs, firstByteMs);
    if (this.#breakers.succeeded(accountId, nowMs)) this.#onChange(this);
  }

  failed(failure: RouteFailure, accountId: AccountId, nowMs: number, trial: Trial): void {
    if (failure === "account" || failure === "model") this.#countRefusal(failure, nowMs);
    if (failure === "forbidden") this.#countForbidden(accountId, nowMs);
    const isConnect = failure === "connect";
    if (this.#breakers.failed(isConnect, accountId, nowMs, trial)) this.#onChange(this);
  }

  /** How fast a complete answer was written. */
  measured(tokens: number, writingMs: number): void {
    if (tokens < 2 || writingMs <= 0) return;
    this.#tokensPerSecond = average(this.#tokensPerSecond, (tokens * 1_000) / writingMs);
  }

  save(nowMs: number): SavedHealth {
    const breaker = this.#breakers.longestOpen(nowMs);
    return {
      openForMs: breaker.waitMs(nowMs),
      nextOpenMs: breaker.nextOpenMs,
      credentialsRefused: this.refused === "account",
      modelRefused: this.refused === "model",
      firstByteMs: this.#firstByteMs ?? null,
      tokensPerSecond: this.#tokensPerSecond ?? null,
    };
  }

  /**
   * What another process stored. A breaker that was open and whose time has passed begins with a
   * trial call.
   */
  restore(saved: SavedHealth, isOpen: boolean, nowMs: number): void {
    this.#firstByteMs = saved.firstByteMs ?? undefined;
    this.#tokensPerSecond = saved.tokensPerSecond ?? undefined;
    if (saved.credentialsRefused || saved.modelRefused) {
      this.#refusals = this.#limits.refusals;
      this.#lastRefused = saved.modelRefused ? "model" : "account";
      this.pause(this.#limits.refusedPauseMs, nowMs);
    }
    if (isOpen) this.#breakers.restore(saved.openForMs, saved.nextOpenMs, nowMs);
  }

  /**
   * Some providers answer 403 because of a request's content: for one account it proves nothing
   * while others succeed.
   */
  #countForbidden(accountId: AccountId, nowMs: number): void {
    const isDoubtful =
      this.#lastForbidden === accountId && this.#breakers.othersSucceed(accountId, nowMs);
    this.#lastForbidden = accountId;
    if (!isDoubtful) this.#countRefusal("account", nowMs);
  }

  #countRefusal(refused: UpstreamRefusal, nowMs: number): void {
    const before = this.refused;
    this.#refusals += 1;
    this.#lastRefused = refused;
    if (this.refused === undefined) return;
    this.pause(this.#limits.refusedPauseMs, nowMs);
    if (this.refused !== before) this.#onChange(this);
  }

  #acceptAgain(): void {
    const wasRefused = this.refused !== undefined;
    this.#refusals = 0;
    if (!wasRefused) return;
    this.#pausedUntilMs = 0;
    this.#onChange(this);
  }
}

function average(known: number | undefined, newest: number): number {
  return known === undefined ? newest : known + (newest - known) * newestShare;
}

/**
 * The health of every route by provider and upstream model, so that a reload of the catalog forgets
 * nothing and two models on the same deployment share what is known.
 */
export class RouteHealthBook {
  /** What a call looks up; a reload creates new routes, which find their health by name. */
  readonly #byRoute = new WeakMap<Route, RouteHealth>();
  readonly #byName = new Map<string, RouteHealth>();
  /** Of the models that routes serve. */
  readonly wholeWaits = new LongestWaits();
  readonly #limits: RouteLimits;
  #onChange: (health: RouteHealth) => void = () => undefined;

  constructor(limits: Partial<RouteLimits> = {}) {
    this.#limits = { ...routeLimits, ...limits };
  }

  /** `onChange` is called when a route becomes better or worse. */
  watch(onChange: (health: RouteHealth) => void): void {
    this.#onChange = onChange;
  }

  of(route: Route): RouteHealth {
    let health = this.#byRoute.get(route);
    if (health === undefined) {
      health = this.find(route.provider.id, route.upstreamModel);
      health.maxConcurrent = route.maxConcurrent ?? this.#limits.maxConcurrent;
      this.#byRoute.set(route, health);
    }
    return health;
  }

  find(provider: string, upstreamModel: string): RouteHealth {
    const name = `${provider} ${upstreamModel}`;
    let health = this.#byName.get(name);
    if (health === undefined) {
      health = new RouteHealth(
        { provider, upstreamModel },
        (changed) => this.#onChange(changed),
        this.#limits,
      );
      this.#byName.set(name, health);
    }
    return health;
  }

  all(): Iterable<RouteHealth> {
    return this.#byName.values();
  }
}
