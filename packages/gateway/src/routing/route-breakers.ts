// The circuit breakers of one route: one for everybody, and one per account whose calls fail. Failures of one
// account open only its own breaker; the one for everybody needs failures of several accounts, or
// connections that fail for any request. So no caller can take a route from others, and one that is down
// is soon avoided.
import type { AccountId } from "@turnpike/base";
import {
  areFailing,
  type BreakerLimits,
  type CallCounts,
  CallWindow,
  CircuitBreaker,
  windowMs,
} from "./circuit-breaker.ts";

export type RouteBreakerLimits = BreakerLimits & {
  /** An account is kept off for failures of others only after this many failures of its own. */
  readonly accountFailures: number;
  /**
   * It opens for everybody only after this many failures of accounts other than the two that failed
   * most.
   */
  readonly othersFailures: number;
  /** It opens for everybody at this many failed connections in a row: no request can cause these. */
  readonly connectFailures: number;
};

/** The breaker that an attempt tests; undefined for an attempt while all are closed. */
export type Trial = CircuitBreaker | undefined;

/** The calls of one account since its first failure. */
type AccountCalls = { readonly window: CallWindow; readonly breaker: CircuitBreaker };

/** Beyond this number of accounts, failures are counted only for everybody. */
const accountsMax = 1_000;

/** `true` from a method that counts says that `isOpen` has changed or is confirmed. */
export class RouteBreakers {
  readonly #limits: RouteBreakerLimits;
  readonly #everybody: CircuitBreaker;
  readonly #window = new CallWindow();
  readonly #accounts = new Map<AccountId, AccountCalls>();
  /** Accounts with an open breaker while no call of another account has succeeded. */
  readonly #unopposed = new Set<AccountId>();
  #connectFailures = 0;
  /**
   * The number of failed trials of the open breaker for everybody, by account; of five accounts at
   * most.
   */
  readonly #failedTrials = new Map<AccountId, number>();
  #succeededBy: AccountId | undefined;
  #succeededAtMs = Number.NEGATIVE_INFINITY;
  /** The last success of an account other than `#succeededBy`. */
  #otherSucceededAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: RouteBreakerLimits) {
    this.#limits = limits;
    this.#everybody = new CircuitBreaker(limits);
  }

  /** Whether the route counts as broken: for everybody, or for the only accounts that use it. */
  get isOpen(): boolean {
    return this.#everybody.isOpen || this.#unopposed.size > 0;
  }

  get isOpenForEverybody(): boolean {
    return this.#everybody.isOpen;
  }

  /** The breaker whose state the next process wants to know: of several, the one that stays open longest. */
  longestOpen(nowMs: number): CircuitBreaker {
    let longest = this.#everybody;
    if (longest.isOpen) return longest;
    for (const accountId of this.#unopposed) {
      const breaker = this.#accounts.get(accountId)?.breaker;
      if (breaker !== undefined && breaker.waitMs(nowMs) >= longest.waitMs(nowMs)) {
        longest = breaker;
      }
    }
    return longest;
  }

  refuses(accountId: AccountId, nowMs: number): boolean {
    if (this.#everybody.refuses(nowMs)) return true;
    return this.#accounts.get(accountId)?.breaker.refuses(nowMs) ?? false;
  }

  waitMs(accountId: AccountId, nowMs: number): number {
    const ownMs = this.#accounts.get(accountId)?.breaker.waitMs(nowMs) ?? 0;
    return Math.max(ownMs, this.#everybody.waitMs(nowMs));
  }

  enter(accountId: AccountId, nowMs: number): Trial {
    const own = this.#accounts.get(accountId)?.breaker;
    const trial = this.#everybody.isOpen ? this.#everybody : own;
    if (trial?.isOpen !== true) return undefined;
    trial.startTrial(nowMs);
    return trial;
  }

  succeeded(accountId: AccountId, nowMs: number): boolean {
    this.#connectFailures = 0;
    if (accountId !== this.#succeededBy) this.#otherSucceededAtMs = this.#succeededAtMs;
    this.#succeededBy = accountId;
    this.#succeededAtMs = nowMs;
    const wasOpen = this.isOpen;
    if (this.#everybody.isOpen) this.#closeAll();
    else {
      this.#window.count(false, nowMs);
      if (this.#accounts.size > 0) this.#countSuccess(accountId, nowMs);
      this.#unopposed.clear();
    }
    return wasOpen;
  }

  /** Whether a call of another account has succeeded within the window. */
  othersSucceed(accountId: AccountId, nowMs: number): boolean {
    const succeededAtMs =
      this.#succeededBy === accountId ? this.#otherSucceededAtMs : this.#succeededAtMs;
    return nowMs - succeededAtMs < windowMs;
  }

  failed(isConnect: boolean, accountId: AccountId, nowMs: number, trial: Trial): boolean {
    this.#connectFailures = isConnect ? this.#connectFailures + 1 : 0;
    if (this.#everybody.isOpen) {
      // Calls that began before it opened tell nothing new.
      return trial === this.#everybody && this.#failTrial(accountId, nowMs);
    }
    const own = this.#callsOf(accountId, nowMs);
    this.#window.count(true, nowMs);
    own?.window.count(true, nowMs);
    if (this.#isUnreachable || this.#severalAreFailing(nowMs)) {
      this.#everybody.open(nowMs);
      return true;
    }
    return own !== undefined && this.#judgeAccount(accountId, own, nowMs, trial);
  }

  restore(openForMs: number, nextOpenMs: number, nowMs: number): void {
    this.#everybody.restore(openForMs, nextOpenMs, nowMs);
  }

  get #isUnreachable(): boolean {
    return this.#connectFailures >= this.#limits.connectFailures;
  }

  /** Whether too many calls of everybody fail, even without the two accounts that failed most. */
  #severalAreFailing(nowMs: number): boolean {
    const { othersFailures, failureShare } = this.#limits;
    const all = this.#window.sum(nowMs);
    if (!areFailing(all, this.#limits)) return false;
    let most: CallCounts = { calls: 0, failures: 0 };
    let second = most;
    for (const { window } of this.#accounts.values()) {
      const counts = window.sum(nowMs);
      if (counts.failures > most.failures) [most, second] = [counts, most];
      else if (counts.failures > second.failures) second = counts;
    }
    const failures = all.failures - most.failures - second.failures;
    const calls = all.calls - most.calls - second.calls;
    return failures >= othersFailures && failures >= calls * failureShare;
  }

  /** Its own calls decide; while no other account's calls succeed, those of all do. */
  #judgeAccount(accountId: AccountId, own: AccountCalls, nowMs: number, trial: Trial): boolean {
    const { breaker } = own;
    const isUnopposed = !this.othersSucceed(accountId, nowMs);
    if (!breaker.isOpen && isUnopposed) return this.#judgeUnopposed(nowMs);
    if (breaker.isOpen ? trial !== breaker : !areFailing(own.window.sum(nowMs), this.#limits)) {
      return false;
    }
    breaker.open(nowMs);
    if (isUnopposed) this.#unopposed.add(accountId);
    return isUnopposed;
  }

  /** Keeps off every account that has failures of its own while no other account succeeds. */
  #judgeUnopposed(nowMs: number): boolean {
    if (!areFailing(this.#window.sum(nowMs), this.#limits)) return false;
    const { accountFailures, failureShare } = this.#limits;
    let hasOpened = false;
    for (const [accountId, { window, breaker }] of this.#accounts) {
      const { calls, failures } = window.sum(nowMs);
      if (breaker.isOpen || failures < accountFailures || failures < calls * failureShare) continue;
      if (this.othersSucceed(accountId, nowMs)) continue;
      breaker.open(nowMs);
      this.#unopposed.add(accountId);
      hasOpened = true;
    }
    return hasOpened;
  }

  /**
   * A failed trial keeps its own account off for twice the time, and the next account tries immediately.
   * Others are kept off by the rule that opens the breaker: failed connections, or trials of several
   * accounts.
   */
  #failTrial(accountId: AccountId, nowMs: number): boolean {
    this.#failedTrials.set(accountId, (this.#failedTrials.get(accountId) ?? 0) + 1);
    if (this.#isUnreachable || this.#severalHaveTried()) {
      this.#failedTrials.clear();
      this.#everybody.open(nowMs);
    } else {
      this.#callsOf(accountId, nowMs)?.breaker.open(nowMs, this.#everybody.nextOpenMs);
    }
    return true;
  }

  /** Every trial has failed, or it would be closed: what is left is to leave out the two that failed most. */
  #severalHaveTried(): boolean {
    const [, , ...others] = [...this.#failedTrials.values()].sort((a, b) => b - a);
    const failures = others.reduce((sum, count) => sum + count, 0);
    return failures >= this.#limits.othersFailures;
  }

  #countSuccess(accountId: AccountId, nowMs: number): void {
    const own = this.#accounts.get(accountId);
    if (own === undefined) return;
    if (!own.breaker.isOpen) {
      own.window.count(false, nowMs);
      return;
    }
    // What is forgotten of the account must not count as the failures of others.
    this.#window.subtract(own.window);
    this.#accounts.delete(accountId);
  }

  #closeAll(): void {
    this.#everybody.close();
    this.#window.clear();
    this.#accounts.clear();
    this.#unopposed.clear();
    this.#failedTrials.clear();
  }

  #callsOf(accountId: AccountId, nowMs: number): AccountCalls | undefined {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    if (this.#accounts.size >= accountsMax) this.#forgetIdle(nowMs);
    if (this.#accounts.size >= accountsMax) return undefined;
    const calls = { window: new CallWindow(), breaker: new CircuitBreaker(this.#limits) };
    this.#accounts.set(accountId, calls);
    return calls;
  }

  #forgetIdle(nowMs: number): void {
    for (const [accountId, { window, breaker }] of this.#accounts) {
      if (breaker.waitMs(nowMs) > 0 || window.sum(nowMs).calls > 0) continue;
      this.#accounts.delete(accountId);
      this.#unopposed.delete(accountId);
    }
  }
}
