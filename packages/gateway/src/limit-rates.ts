// How fast a key may go: requests and tokens per minute; and how many requests of a key, an account
// and this process may run at once. Counted in the memory of this process, so with several instances
// each limit holds once per instance. Money is not decided here.

import type { KeyLimits } from "@turnpike/auth";
import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";

/** A bucket that refills evenly: full at the start, at most `perMinute`. */
class Bucket {
  readonly perMinute: number;
  #level: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.perMinute = perMinute;
    this.#level = perMinute;
    this.#atMs = nowMs;
  }

  /** Negative after more was used than had been taken beforehand. */
  level(nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#level = Math.min(this.perMinute, this.#level + (elapsedMs * this.perMinute) / 60_000);
    this.#atMs += elapsedMs;
    return this.#level;
  }

  take(amount: number, nowMs: number): void {
    this.#level = this.level(nowMs) - amount;
  }

  /** Until `amount` may be taken. */
  waitMs(amount: number, nowMs: number): number {
    return ((amount - this.level(nowMs)) * 60_000) / this.perMinute;
  }

  isFull(nowMs: number): boolean {
    return this.level(nowMs) >= this.perMinute;
  }

  resetMs(nowMs: number): number {
    return this.waitMs(this.perMinute, nowMs);
  }
}

/** Requests under way, by whose they are. Whoever has none is not remembered. */
class Running<Id extends string> {
  readonly #counts = new Map<Id, number>();

  of(id: Id): number {
    return this.#counts.get(id) ?? 0;
  }

  enter(id: Id): void {
    this.#counts.set(id, this.of(id) + 1);
  }

  leave(id: Id): void {
    const left = this.of(id) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }
}

type KeyRates = { requests: Bucket | undefined; tokens: Bucket | undefined };

/** Whose request it is; without a key where the console's playground asks. */
export type LimitedCaller = {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly limits: KeyLimits;
};

/** Requests at once. */
export type RunningBounds = {
  readonly perProcess: number;
  readonly perAccount: number;
  /** Of a key whose owner set no number. */
  readonly perKey: number;
};

const defaultBounds: RunningBounds = { perProcess: 2_000, perAccount: 100, perKey: 50 };

/** A request that was let through. */
export type Admission = {
  /** `x-ratelimit-*`; empty for a key without such limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** With the tokens the request really used; only the first call counts. */
  readonly end: (usedTokens: number) => void;
};

const sweepAtSize = 10_000;
const sweepEveryMs = 10_000;

export class RateLimiter {
  readonly #rates = new Map<ApiKeyId, KeyRates>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly #bounds: RunningBounds;
  #running = 0;
  readonly #accounts = new Running<AccountId>();
  readonly #keys = new Running<ApiKeyId>();

  constructor(bounds: Partial<RunningBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds };
  }

  /**
   * `expectedTokens` are taken at once and put right when the request ends, so that a burst cannot
   * slip under a limit nobody has counted yet. Throws `rate_limit_exceeded`, and `overloaded` when
   * too many requests run in this process.
   */
  admit(caller: LimitedCaller, expectedTokens: number, nowMs = performance.now()): Admission {
    const { accountId, keyId, limits } = caller;
    const { perProcess, perAccount, perKey } = this.#bounds;
    if (this.#running >= perProcess) throw overloaded();
    const rates = keyId !== null && hasRates(limits) ? this.#find(keyId, limits, nowMs) : noRates;
    const atOnce = limits.concurrency ?? perKey;
    if (keyId !== null && this.#keys.of(keyId) >= atOnce) {
      throw tooFast("API key", `${atOnce} requests at once`, 1_000, readHeaders(rates, nowMs));
    }
    if (this.#accounts.of(accountId) >= perAccount) {
      throw tooFast("account", `${perAccount} requests at once`, 1_000, readHeaders(rates, nowMs));
    }
    const expected = Math.min(expectedTokens, limits.tokensPerMinute ?? expectedTokens);
    takeRates(rates, expected, nowMs);
    this.#running += 1;
    this.#accounts.enter(accountId);
    if (keyId !== null) this.#keys.enter(keyId);
    let ended = false;
    return {
      headers: readHeaders(rates, nowMs),
      end: (usedTokens) => {
        if (ended) return;
        ended = true;
        this.#running -= 1;
        this.#accounts.leave(accountId);
        if (keyId !== null) this.#keys.leave(keyId);
        rates.tokens?.take(usedTokens - expected, performance.now());
      },
    };
  }

  #find(id: ApiKeyId, limits: KeyLimits, nowMs: number): KeyRates {
    this.#sweep(nowMs);
    const known = this.#rates.get(id);
    const rates = known ?? { requests: undefined, tokens: undefined };
    rates.requests = renewed(rates.requests, limits.requestsPerMinute, nowMs);
    rates.tokens = renewed(rates.tokens, limits.tokensPerMinute, nowMs);
    if (known === undefined) this.#rates.set(id, rates);
    return rates;
  }

  /** Forgets keys at rest with full buckets, now and then: anew they would be the same. */
  #sweep(nowMs: number): void {
    if (this.#rates.size < sweepAtSize || nowMs - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = nowMs;
    for (const [id, { requests, tokens }] of this.#rates) {
      const full = (requests?.isFull(nowMs) ?? true) && (tokens?.isFull(nowMs) ?? true);
      if (full && this.#keys.of(id) === 0) this.#rates.delete(id);
    }
  }
}

const noRates: KeyRates = { requests: undefined, tokens: undefined };

function hasRates({ requestsPerMinute, tokensPerMinute }: KeyLimits): boolean {
  return (requestsPerMinute ?? tokensPerMinute) !== undefined;
}

/** Takes one request and its tokens, or throws and takes nothing. */
function takeRates(rates: KeyRates, expectedTokens: number, nowMs: number): void {
  const { requests, tokens } = rates;
  if (requests !== undefined && requests.level(nowMs) < 1) {
    const limit = `${requests.perMinute} requests per minute`;
    throw tooFast("API key", limit, requests.waitMs(1, nowMs), readHeaders(rates, nowMs));
  }
  if (tokens !== undefined && tokens.level(nowMs) < expectedTokens) {
    const limit = `${tokens.perMinute} tokens per minute`;
    const waitMs = tokens.waitMs(expectedTokens, nowMs);
    throw tooFast("API key", limit, waitMs, readHeaders(rates, nowMs));
  }
  requests?.take(1, nowMs);
  tokens?.take(expectedTokens, nowMs);
}

const noHeaders: Readonly<Record<string, string>> = {};

/** Named as OpenAI's: what is left in whole units, how long until full as Go writes durations. */
function readHeaders(rates: KeyRates, nowMs: number): Readonly<Record<string, string>> {
  if (rates === noRates) return noHeaders;
  const headers: Record<string, string> = {};
  for (const [name, bucket] of Object.entries(rates)) {
    if (bucket === undefined) continue;
    headers[`x-ratelimit-limit-${name}`] = String(bucket.perMinute);
    const left = Math.max(0, Math.floor(bucket.level(nowMs)));
    headers[`x-ratelimit-remaining-${name}`] = String(left);
    headers[`x-ratelimit-reset-${name}`] = formatDuration(bucket.resetMs(nowMs));
  }
  return headers;
}

function overloaded(): Fault {
  return new Fault("overloaded", "Too many requests are running here. Please try again in 2s.", {
    retryAfterMs: 2_000,
  });
}

function renewed(
  bucket: Bucket | undefined,
  perMinute: number | undefined,
  nowMs: number,
): Bucket | undefined {
  if (perMinute === undefined) return undefined;
  return bucket?.perMinute === perMinute ? bucket : new Bucket(perMinute, nowMs);
}

/** `12ms`, `1.5s`, `6m0s`. */
function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 60) return `${seconds}s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}m${whole % 60}s`;
}

function tooFast(
  who: "API key" | "account",
  limit: string,
  waitMs: number,
  headers: Readonly<Record<string, string>>,
): Fault {
  const retryAfterMs = Math.min(60_000, Math.max(1_000, Math.ceil(waitMs)));
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const source = who === "account" ? "account_limit" : "key_limit";
  return new Fault(
    "rate_limit_exceeded",
    `This ${who} is limited to ${limit}. Please try again in ${seconds}s.`,
    { retryAfterMs, headers, metadata: { limit_source: source, limit } },
  );
}
