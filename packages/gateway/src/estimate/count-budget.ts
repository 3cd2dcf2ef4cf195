// How long tokens may be counted for callers who pay nothing for it: by time, because texts of one size differ
// by a factor of fifty. Bounds an account, and the process as a whole.
import { type AccountId, type Fault, overloaded } from "@turnpike/base";
import { RateBucket } from "../rates/rate-bucket.ts";
import { noHeaders, rateLimitFault } from "../rates/rate-limit-fault.ts";

export const countTimes = {
  /** Milliseconds of counting per minute. */
  accountMs: 10_000,
  processMs: 30_000,
  /** Taken in advance and corrected afterwards: about that of the scripts that are counted slowest. */
  bytesPerMs: 1_000,
  /** About how fast a body is read and parsed, which a refused request has cost as well. */
  parsedBytesPerMs: 50_000,
} as const;

/** Above this many accounts, those with their whole time left are forgotten. */
const sweepAtSize = 10_000;

/** The time that one request was granted. */
export type CountTime = {
  /** Adds what a count took. */
  readonly spend: (spentMs: number) => void;
  /** Gives back what was not spent; exactly once. */
  readonly end: () => void;
};

export class CountBudget {
  readonly #accounts = new Map<AccountId, RateBucket>();
  readonly #process: RateBucket;

  constructor(nowMs = performance.now()) {
    this.#process = new RateBucket(countTimes.processMs, countTimes.processMs, nowMs);
  }

  /** Accounts that are remembered. */
  get size(): number {
    return this.#accounts.size;
  }

  /** Throws `rate_limit_exceeded`, or `overloaded` where other accounts have used up the time of the process. */
  take(accountId: AccountId, textBytes: number, nowMs = performance.now()): CountTime {
    const { accountMs, bytesPerMs, parsedBytesPerMs } = countTimes;
    const account = this.#find(accountId, nowMs);
    // A text that needs more than a minute's time may be counted by who has not used any of it.
    const expectedMs = Math.min(textBytes / bytesPerMs, accountMs);
    if (account.level(nowMs) < expectedMs) {
      account.take(textBytes / parsedBytesPerMs, nowMs);
      throw spent(account, expectedMs, nowMs);
    }
    if (this.#process.level(nowMs) < expectedMs) throw overloaded("counting");
    const buckets = [account, this.#process] as const;
    for (const bucket of buckets) bucket.take(expectedMs, nowMs);
    let spentMs = 0;
    return {
      spend(ms) {
        spentMs += ms;
      },
      end() {
        for (const bucket of buckets) bucket.take(spentMs - expectedMs, performance.now());
      },
    };
  }

  /** Throws what `take` would, before a body is read for an account that has used up more than its time. */
  refuseSpent(accountId: AccountId, nowMs = performance.now()): void {
    const account = this.#accounts.get(accountId);
    if (account !== undefined && account.level(nowMs) < 0) throw spent(account, 0, nowMs);
  }

  #find(accountId: AccountId, nowMs: number): RateBucket {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    if (this.#accounts.size >= sweepAtSize) this.#sweep(nowMs);
    const bucket = new RateBucket(countTimes.accountMs, countTimes.accountMs, nowMs);
    this.#accounts.set(accountId, bucket);
    return bucket;
  }

  #sweep(nowMs: number): void {
    for (const [id, bucket] of this.#accounts) {
      if (bucket.isFull(nowMs)) this.#accounts.delete(id);
    }
  }
}

function spent(account: RateBucket, expectedMs: number, nowMs: number): Fault {
  const limit = `${countTimes.accountMs / 1_000} seconds of counting tokens per minute`;
  const waitMs = Math.min(60_000, account.waitMs(expectedMs, nowMs));
  return rateLimitFault("account", limit, waitMs, noHeaders);
}
