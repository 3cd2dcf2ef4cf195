// How fast a key may go: requests and tokens per minute; and how many requests of a key and of an
// account may run, or have their bodies read, at the same time. Counted in the memory of this process, so each
// limit of a key or an account is divided among the live instances. Money is not decided here.

import { type AccountId, type ApiKeyId, Fault } from "@turnpike/base";
import type { KeyLimits } from "@turnpike/keys";
import type { InstanceShare } from "@turnpike/ledger";
import { RateBucket } from "./rate-bucket.ts";
import { Places, Sums } from "./sums.ts";

type KeyRates = { requests: RateBucket | undefined; tokens: RateBucket | undefined };

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
};

const defaultBounds: RunningBounds = { perAccount: 100, perKey: 50 };

const onlyInstance: InstanceShare = { instances: 1, rank: 0 };
const bodyMebibytesMax = 256;
/** Of the bodies of one account that this instance reads and parses at the same time. */
const bodyBytesMax = bodyMebibytesMax * 1024 * 1024;

/** Of a request whose body is being read. */
export type BodyPlace = {
  readonly accountId: AccountId;
  /** Counts the body as `bytes` large. Throws `rate_limit_exceeded` where that is too much for its account. */
  readonly resize: (bytes: number) => void;
  /** For a body that is read and waits: it counts no more among those being read, but its bytes do. */
  readonly endReading: () => void;
  /** Before the call is admitted or when it ends; only the first call counts. */
  readonly leave: () => void;
};

/** A request that was admitted. */
export type Admission = {
  /** `x-ratelimit-*`; empty for a key without such limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** With the tokens the request actually used; only the first call counts. */
  readonly end: (usedTokens: number) => void;
};

const sweepAtSize = 10_000;
const sweepEveryMs = 10_000;

export class RateLimiter {
  readonly #rates = new Map<ApiKeyId, KeyRates>();
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  readonly #bounds: RunningBounds;
  readonly #running = new Places();
  readonly #reading = new Places();
  readonly #bodyBytes = new Sums<AccountId>();
  readonly #share: () => InstanceShare;

  constructor(bounds: Partial<RunningBounds> = {}, share = () => onlyInstance) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#share = share;
  }

  /** Keys with rates that are remembered; idle ones with full buckets are forgotten from time to time. */
  get size(): number {
    return this.#rates.size;
  }

  /**
   * Takes a place for a call whose body is about to be read: expanding and parsing bodies is bounded as
   * running calls is, by the same numbers, and by their bytes, of which this body has `bodyBytes` until its
   * place is resized. Throws `rate_limit_exceeded`.
   */
  enter(caller: LimitedCaller, bodyBytes: number): BodyPlace {
    const { accountId } = caller;
    // An instance with no share of a limit still reads one body: it may be a repetition.
    this.#refuseBeyond(caller, this.#reading, 1, () => noHeaders);
    let counted = 0;
    let left = false;
    const resize = (bytes: number) => {
      if (left) return;
      const more = bytes - counted;
      if (more > 0 && this.#bodyBytes.of(accountId) + more > bodyBytesMax) {
        const limit = `${bodyMebibytesMax} MiB of request bodies at once`;
        throw tooFast("account", limit, 1, 1_000, noHeaders);
      }
      this.#bodyBytes.add(accountId, more);
      counted = bytes;
    };
    resize(bodyBytes);
    this.#reading.add(caller, 1);
    let reading = true;
    const endReading = () => {
      if (reading) this.#reading.add(caller, -1);
      reading = false;
    };
    const leave = () => {
      endReading();
      resize(0);
      left = true;
    };
    return { accountId, resize, endReading, leave };
  }

  /**
   * `expectedTokens` are taken immediately and corrected when the request ends, so that a burst cannot
   * exceed a limit before it is counted. Throws `rate_limit_exceeded`.
   */
  admit(caller: LimitedCaller, expectedTokens: number, nowMs = performance.now()): Admission {
    const { keyId, limits } = caller;
    const rates = keyId !== null && hasRates(limits) ? this.#find(keyId, limits, nowMs) : noRates;
    this.#refuseBeyond(caller, this.#running, 0, () => readHeaders(rates, nowMs));
    const expected = Math.min(expectedTokens, rates.tokens?.share ?? expectedTokens);
    takeRates(rates, expected, nowMs);
    this.#running.add(caller, 1);
    let ended = false;
    return {
      headers: readHeaders(rates, nowMs),
      end: (usedTokens) => {
        if (ended) return;
        ended = true;
        this.#running.add(caller, -1);
        rates.tokens?.take(usedTokens - expected, performance.now());
      },
    };
  }

  /** Refuses one more request of a key or an account that has as many as it may, and `least` at least. */
  #refuseBeyond(
    { accountId, keyId, limits }: LimitedCaller,
    { accounts, keys }: Places,
    least: 0 | 1,
    headers: () => RateHeaders,
  ): void {
    const refuse = (
      who: "API key" | "account",
      id: AccountId | ApiKeyId,
      limit: number,
      now: number,
    ) => {
      const share = Math.max(least, shareCount(limit, id, this.#share()));
      if (now >= share) throw tooFast(who, `${limit} concurrent requests`, share, 1_000, headers());
    };
    const { perAccount, perKey } = this.#bounds;
    if (keyId !== null) refuse("API key", keyId, limits.concurrency ?? perKey, keys.of(keyId));
    refuse("account", accountId, perAccount, accounts.of(accountId));
  }

  #find(id: ApiKeyId, limits: KeyLimits, nowMs: number): KeyRates {
    this.#sweep(nowMs);
    const known = this.#rates.get(id);
    const rates = known ?? { requests: undefined, tokens: undefined };
    const renew = (bucket: RateBucket | undefined, limit: number | undefined) =>
      limit === undefined
        ? undefined
        : renewed(bucket, limit, shareRate(limit, id, this.#share()), nowMs);
    rates.requests = renew(rates.requests, limits.requestsPerMinute);
    rates.tokens = renew(rates.tokens, limits.tokensPerMinute);
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
    if (bucket.share > 0 && bucket.level(nowMs) >= amount) continue;
    const limit = `${bucket.limit} ${unit} per minute`;
    const waitMs = bucket.waitMs(amount, nowMs);
    throw tooFast("API key", limit, bucket.share, waitMs, readHeaders(rates, nowMs));
  }
  requests?.take(1, nowMs);
  tokens?.take(expectedTokens, nowMs);
}

type RateHeaders = Readonly<Record<string, string>>;
const noHeaders: RateHeaders = {};

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

function renewed(
  bucket: RateBucket | undefined,
  limit: number,
  share: number,
  nowMs: number,
): RateBucket {
  if (bucket?.limit !== limit) return new RateBucket(limit, share, nowMs);
  bucket.resize(share, nowMs);
  return bucket;
}

/** `12ms`, `1.5s`, `6m0s`. */
function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 100) / 10;
  if (seconds < 60) return `${seconds}s`;
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}m${whole % 60}s`;
}

/** Asks the client for a new connection, which a load balancer may give to another instance. */
const leaveInstance: RateHeaders = { connection: "close" };

/**
 * `share` is what this instance may grant of the limit; if it has none, another instance may grant
 * it immediately.
 */
function tooFast(
  who: "API key" | "account",
  limit: string,
  share: number,
  waitMs: number,
  rates: RateHeaders,
): Fault {
  const neededMs = share === 0 ? 0 : Math.ceil(waitMs);
  const retryAfterMs = Math.min(60_000, Math.max(1_000, neededMs));
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const source = who === "account" ? "account_limit" : "key_limit";
  return new Fault(
    "rate_limit_exceeded",
    `This ${who} is limited to ${limit}. Please try again in ${seconds}s.`,
    {
      retryAfterMs,
      headers: share === 0 ? { ...rates, ...leaveInstance } : rates,
      metadata: { limit_source: source, limit },
    },
  );
}

/**
 * How many of `limit` concurrent requests this instance may run. Each instance gets the whole quotient;
 * each unit of the remainder goes to one of them, chosen by the id, so that the shares of all
 * instances add up to the limit. If the limit is below their number, it is zero on the others.
 */
export function shareCount(
  limit: number,
  id: AccountId | ApiKeyId,
  { instances, rank }: InstanceShare,
): number {
  const place = (rank + readNumber(id)) % instances;
  return Math.floor(limit / instances) + (place < limit % instances ? 1 : 0);
}

/**
 * The part of a rate per minute that this instance may grant. A bucket refills continuously, so the
 * quotient needs no rounding; but below one it would never hold a whole request, so then
 * `limit` of the instances grant one each and the others nothing.
 */
export function shareRate(limit: number, id: ApiKeyId, share: InstanceShare): number {
  return limit >= share.instances ? limit / share.instances : shareCount(limit, id, share);
}

/** Evenly distributed, and the same in every instance: the last 32 bits of a UUIDv7 are random. */
function readNumber(id: AccountId | ApiKeyId): number {
  return Number.parseInt(id.slice(-8), 16);
}
