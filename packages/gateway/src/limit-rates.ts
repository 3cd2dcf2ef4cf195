// How fast a key may go: requests and tokens per minute; and how many requests of a key and of an
// account may run, or have their bodies read, at the same time. Counted in the memory of this process, so each
// limit of a key or an account is divided among the live instances. Money is not decided here.

import type { AccountId, ApiKeyId, Fault } from "@turnpike/base";
import type { KeyLimits } from "@turnpike/keys";
import type { InstanceShare } from "@turnpike/ledger";
import { BodyMemory } from "./body-memory.ts";
import { BodyPlace } from "./body-place.ts";
import { RateBucket } from "./rate-bucket.ts";
import { RateTurn } from "./rate-turn.ts";
import { shareCount } from "./share-limit.ts";
import { Places } from "./sums.ts";
import { noHeaders, type RateHeaders, tooFast, type Wait } from "./too-fast.ts";

type Rate = RateBucket | RateTurn;
type KeyRates = { requests: Rate | undefined; tokens: Rate | undefined };

/** Whose request it is; without a key for the console's playground. */
export type LimitedCaller = {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId | null;
  readonly limits: KeyLimits;
};

/** Concurrent requests. */
export type RunningBounds = {
  /** Over all instances. */
  readonly perAccount: number;
  /** Over all instances, for a key whose owner set no number. */
  readonly perKey: number;
  /** Of memory for request bodies, in this process. */
  readonly bodyMebibytes?: number;
};

const defaultBounds: RunningBounds = { perAccount: 100, perKey: 50 };

const onlyInstance: InstanceShare = { instances: 1, rank: 0 };

/** A request that was admitted. */
export type Admission = {
  /** `x-ratelimit-*`; empty for a key without such limits. */
  readonly headers: RateHeaders;
  /** With the tokens the request actually used; only the first call counts. */
  end(usedTokens: number): void;
};

const sweepAtSize = 10_000;
const sweepEveryMs = 10_000;

export class RateLimiter {
  readonly #rates = new Map<ApiKeyId, KeyRates>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly #bounds: RunningBounds;
  readonly #running = new Places();
  readonly #reading = new Places();
  readonly #bodies: BodyMemory;
  readonly #share: () => InstanceShare;
  readonly #nowMs: () => number;

  /** `nowMs` is a clock that all instances have in common, in Unix milliseconds. */
  constructor(
    bounds: Partial<RunningBounds> = {},
    share = () => onlyInstance,
    nowMs: () => number = Date.now,
  ) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#bodies = new BodyMemory(bounds.bodyMebibytes);
    this.#share = share;
    this.#nowMs = nowMs;
  }

  /** Keys with rates that are remembered; idle ones with full buckets are forgotten from time to time. */
  get size(): number {
    return this.#rates.size;
  }

  /** What request bodies are counted as, of all accounts. */
  get bodyBytes(): number {
    return this.#bodies.bytes;
  }

  /**
   * Takes a place for a call whose body is about to be read: expanding and parsing bodies is bounded as
   * running calls is, by the same numbers, and by their memory: this body has `bodyBytes` until its place is
   * resized. Throws `rate_limit_exceeded` or `overloaded`.
   */
  enter(caller: LimitedCaller, bodyBytes: number): BodyPlace {
    // An instance with no share of a limit still reads one body: it may be a repetition.
    this.#refuseBeyond(caller, this.#reading, 1, noRates, 0);
    return new BodyPlace(caller, this.#reading, this.#bodies, bodyBytes);
  }

  /**
   * `expectedTokens` are taken immediately and corrected when the request ends, so that a burst cannot
   * exceed a limit before it is counted. Throws `rate_limit_exceeded`.
   */
  admit(caller: LimitedCaller, expectedTokens: number, nowMs = this.#nowMs()): Admission {
    const { keyId, limits } = caller;
    const rates = keyId !== null && hasRates(limits) ? this.#find(keyId, limits, nowMs) : noRates;
    this.#refuseBeyond(caller, this.#running, 0, rates, nowMs);
    const expected = Math.min(expectedTokens, rates.tokens?.share ?? expectedTokens);
    if (rates !== noRates) takeRates(rates, expected, nowMs);
    const headers = readHeaders(rates, nowMs);
    return new RunningPlace(caller, this.#running, rates, expected, headers, this.#nowMs);
  }

  /** Refuses one more request of a key or an account that has as many as it may, and `least` at least. */
  #refuseBeyond(
    { accountId, keyId, limits }: LimitedCaller,
    { accounts, keys }: Places,
    least: 0 | 1,
    rates: KeyRates,
    nowMs: number,
  ): void {
    const { perAccount, perKey } = this.#bounds;
    const instances = this.#share();
    if (keyId !== null) {
      const limit = limits.concurrency ?? perKey;
      const share = Math.max(least, shareCount(limit, keyId, instances));
      if (keys.of(keyId) >= share) throw tooManyAtOnce("API key", limit, share, rates, nowMs);
    }
    const share = Math.max(least, shareCount(perAccount, accountId, instances));
    if (accounts.of(accountId) < share) return;
    throw tooManyAtOnce("account", perAccount, share, rates, nowMs);
  }

  #find(id: ApiKeyId, limits: KeyLimits, nowMs: number): KeyRates {
    this.#sweep(nowMs);
    const known = this.#rates.get(id);
    const rates = known ?? { requests: undefined, tokens: undefined };
    const share = this.#share();
    rates.requests = renew(rates.requests, limits.requestsPerMinute, id, share, nowMs);
    rates.tokens = renew(rates.tokens, limits.tokensPerMinute, id, share, nowMs);
    if (known === undefined) this.#rates.set(id, rates);
    return rates;
  }

  /** Forgets idle keys with full buckets from time to time: new buckets would be the same. */
  #sweep(nowMs: number): void {
    if (this.#rates.size < sweepAtSize || nowMs - this.#sweptAtMs < sweepEveryMs) return;
    this.#sweptAtMs = nowMs;
    for (const [id, { requests, tokens }] of this.#rates) {
      const full = (requests?.isFull(nowMs) ?? true) && (tokens?.isFull(nowMs) ?? true);
      if (full && this.#running.keys.of(id) === 0) this.#rates.delete(id);
    }
  }
}

class RunningPlace implements Admission {
  readonly headers: RateHeaders;
  readonly #caller: LimitedCaller;
  readonly #running: Places;
  readonly #rates: KeyRates;
  readonly #expectedTokens: number;
  readonly #nowMs: () => number;
  #hasEnded = false;

  constructor(
    caller: LimitedCaller,
    running: Places,
    rates: KeyRates,
    expectedTokens: number,
    headers: RateHeaders,
    nowMs: () => number,
  ) {
    this.headers = headers;
    this.#nowMs = nowMs;
    this.#caller = caller;
    this.#running = running;
    this.#rates = rates;
    this.#expectedTokens = expectedTokens;
    running.add(caller, 1);
  }

  end(usedTokens: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#running.add(this.#caller, -1);
    this.#rates.tokens?.take(usedTokens - this.#expectedTokens, this.#nowMs());
  }
}

const noRates: KeyRates = { requests: undefined, tokens: undefined };

function hasRates({ requestsPerMinute, tokensPerMinute }: KeyLimits): boolean {
  return (requestsPerMinute ?? tokensPerMinute) !== undefined;
}

/** Takes one request and its tokens, or throws and takes nothing. */
function takeRates(rates: KeyRates, expectedTokens: number, nowMs: number): void {
  const { requests, tokens } = rates;
  for (const [bucket, amount, unit] of [
    [requests, 1, "requests"],
    [tokens, expectedTokens, "tokens"],
  ] as const) {
    if (bucket === undefined) continue;
    if (bucket.level(nowMs) >= amount) continue;
    const limit = `${bucket.limit} ${unit} per minute`;
    throw tooFast("API key", limit, waitOf(bucket, amount, nowMs), readHeaders(rates, nowMs));
  }
  requests?.take(1, nowMs);
  tokens?.take(expectedTokens, nowMs);
}

/**
 * Named as OpenAI's: the whole limit, what is left of this instance's share in whole units, and how
 * long until that is full, as Go writes durations.
 */
function readHeaders(rates: KeyRates, nowMs: number): RateHeaders {
  if (rates === noRates) return noHeaders;
  const headers: Record<string, string> = {};
  for (const [name, bucket] of Object.entries(rates)) {
    if (bucket === undefined) continue;
    headers[`x-ratelimit-limit-${name}`] = String(bucket.limit);
    const left = Math.max(0, Math.floor(bucket.level(nowMs)));
    headers[`x-ratelimit-remaining-${name}`] = String(left);
    headers[`x-ratelimit-reset-${name}`] = formatDuration(bucket.resetMs(nowMs));
  }
  return headers;
}

function renew(
  rate: Rate | undefined,
  limit: number | undefined,
  id: ApiKeyId,
  share: InstanceShare,
  nowMs: number,
): Rate | undefined {
  if (limit === undefined) return undefined;
  const perInstance = limit / share.instances;
  if (rate instanceof RateBucket && rate.limit === limit && perInstance >= 1) {
    rate.resize(perInstance, nowMs);
    return rate;
  }
  if (rate instanceof RateTurn && rate.isOf(limit, id, share)) return rate;
  const renewed =
    perInstance >= 1 ? new RateBucket(limit, perInstance, nowMs) : new RateTurn(limit, id, share);
  // Instances were added or removed: what they may grant now has perhaps been granted already.
  if (rate?.limit === limit) renewed.take(renewed.share, nowMs);
  return renewed;
}

/**
 * No more than a minute for a bucket, although a large debt of tokens takes longer; a turn is waited for as long as it
 * takes, since nothing can be granted before.
 */
function waitOf(rate: Rate, amount: number, nowMs: number): Wait {
  const ms = rate.waitMs(amount, nowMs);
  if (rate instanceof RateBucket) return { ms: Math.min(60_000, ms), isShorterElsewhere: false };
  return { ms, isShorterElsewhere: !rate.isOpen(nowMs) };
}

/** `12ms`, `1.5s`, `6m0s`. */
function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 60) return `${seconds}s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}m${whole % 60}s`;
}

function tooManyAtOnce(
  who: "API key" | "account",
  limit: number,
  share: number,
  rates: KeyRates,
  nowMs: number,
): Fault {
  const headers = readHeaders(rates, nowMs);
  return tooFast(who, `${limit} concurrent requests`, share === 0 ? noShare : oneSecond, headers);
}

const oneSecond: Wait = { ms: 1_000, isShorterElsewhere: false };

/**
 * Until the number of instances changes, which a heartbeat may report next. The shares do not take turns like
 * rates: a call may outlast any turn, and what still ran elsewhere would exceed the limit.
 */
const noShare: Wait = {
  ms: 5_000,
  isShorterElsewhere: true,
  note: ", none of which this server grants because more servers run than that: use a new connection",
};
