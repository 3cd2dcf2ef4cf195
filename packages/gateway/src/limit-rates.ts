// How fast a key may go: requests and tokens per minute, and requests at once. Counted in the memory
// of this process, so with several instances a key gets each limit once per instance. Money is not
// decided here.

import type { KeyLimits } from "@turnpike/auth";
import { type ApiKeyId, Fault } from "@turnpike/base";

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

type KeyRates = {
  requests: Bucket | undefined;
  tokens: Bucket | undefined;
  running: number;
};

type LimitedKey = { readonly id: ApiKeyId; readonly limits: KeyLimits };

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
  readonly #keys = new Map<ApiKeyId, KeyRates>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly #runningMax: number;
  #running = 0;

  /** `runningMax` bounds the requests of this process; beyond it callers are told to come back. */
  constructor({ runningMax = 2_000 } = {}) {
    this.#runningMax = runningMax;
  }

  /**
   * `expectedTokens` are taken at once and put right when the request ends, so that a burst cannot
   * slip under a limit nobody has counted yet. Without a key only this process sets limits.
   * Throws `rate_limit_exceeded`, and `overloaded` when too many requests run here.
   */
  admit(key: LimitedKey | undefined, expectedTokens: number, nowMs = performance.now()): Admission {
    if (this.#running >= this.#runningMax) throw overloaded();
    const admission =
      key && isLimited(key.limits) ? this.#admitKey(key, expectedTokens, nowMs) : free;
    this.#running += 1;
    let ended = false;
    return {
      headers: admission.headers,
      end: (usedTokens) => {
        if (ended) return;
        ended = true;
        this.#running -= 1;
        admission.end(usedTokens);
      },
    };
  }

  #admitKey(key: LimitedKey, expectedTokens: number, nowMs: number): Admission {
    const { tokensPerMinute, concurrency } = key.limits;
    const rates = this.#find(key.id, key.limits, nowMs);
    const expected = Math.min(expectedTokens, tokensPerMinute ?? expectedTokens);
    if (concurrency !== undefined && rates.running >= concurrency) {
      throw tooFast(`${concurrency} requests at once`, 1_000, this.#headers(rates, nowMs));
    }
    const { requests, tokens } = rates;
    if (requests !== undefined && requests.level(nowMs) < 1) {
      const waitMs = requests.waitMs(1, nowMs);
      throw tooFast(
        `${requests.perMinute} requests per minute`,
        waitMs,
        this.#headers(rates, nowMs),
      );
    }
    if (tokens !== undefined && tokens.level(nowMs) < expected) {
      const waitMs = tokens.waitMs(expected, nowMs);
      throw tooFast(`${tokens.perMinute} tokens per minute`, waitMs, this.#headers(rates, nowMs));
    }
    requests?.take(1, nowMs);
    tokens?.take(expected, nowMs);
    rates.running += 1;
    return {
      headers: this.#headers(rates, nowMs),
      end(usedTokens) {
        rates.running -= 1;
        tokens?.take(usedTokens - expected, performance.now());
      },
    };
  }

  #find(id: ApiKeyId, limits: KeyLimits, nowMs: number): KeyRates {
    this.#sweep(nowMs);
    const known = this.#keys.get(id);
    const rates = known ?? { requests: undefined, tokens: undefined, running: 0 };
    rates.requests = renewed(rates.requests, limits.requestsPerMinute, nowMs);
    rates.tokens = renewed(rates.tokens, limits.tokensPerMinute, nowMs);
    if (known === undefined) this.#keys.set(id, rates);
    return rates;
  }

  /** Forgets keys at rest with full buckets, now and then: anew they would be the same. */
  #sweep(nowMs: number): void {
    if (this.#keys.size < sweepAtSize || nowMs - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = nowMs;
    for (const [id, { running, requests, tokens }] of this.#keys) {
      const full = (requests?.isFull(nowMs) ?? true) && (tokens?.isFull(nowMs) ?? true);
      if (running === 0 && full) this.#keys.delete(id);
    }
  }

  /** wire-format §5: what is left in whole units, and how long until full as Go writes durations. */
  #headers({ requests, tokens }: KeyRates, nowMs: number): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, bucket] of Object.entries({ requests, tokens })) {
      if (bucket === undefined) continue;
      headers[`x-ratelimit-limit-${name}`] = String(bucket.perMinute);
      const left = Math.max(0, Math.floor(bucket.level(nowMs)));
      headers[`x-ratelimit-remaining-${name}`] = String(left);
      headers[`x-ratelimit-reset-${name}`] = formatDuration(bucket.resetMs(nowMs));
    }
    return headers;
  }
}

const free: Admission = { headers: {}, end: () => undefined };

function isLimited({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits): boolean {
  return (requestsPerMinute ?? tokensPerMinute ?? concurrency) !== undefined;
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

function tooFast(limit: string, waitMs: number, headers: Readonly<Record<string, string>>): Fault {
  const retryAfterMs = Math.min(60_000, Math.max(1_000, Math.ceil(waitMs)));
  return new Fault(
    "rate_limit_exceeded",
    `This API key is limited to ${limit}. Please try again in ${Math.ceil(retryAfterMs / 1_000)}s.`,
    { retryAfterMs, headers, metadata: { limit_source: "key_limit", limit } },
  );
}
