// How fast a key, a project and an account may go: requests and tokens per minute, and concurrent requests, exact over
// all instances; and how many bodies this process reads at the same time. A call that the slices in hand cover waits
// for nothing. Money is not decided here. What is nearly always known at once is no promise: an async function takes
// six heap cells (decision 16).
import type { Fault } from "@turnpike/base";
import type { InstanceShare, RateBuckets } from "@turnpike/ledger";
import { type Log, type Loop, startInterval } from "@turnpike/telemetry";
import { BodyMemory } from "../admission/body-memory.ts";
import { BodySlot } from "../admission/body-slot.ts";
import { ConcurrentCalls } from "../admission/running-counts.ts";
import { rateHeadersOf } from "./rate-headers.ts";
import { noHeaders, type RateHeaders, rateLimitFault } from "./rate-limit-fault.ts";
import type { RateSlice } from "./rate-slice.ts";
import {
  type CallerSlices,
  type LimitedCaller,
  type RunningBounds,
  SliceBook,
} from "./slice-book.ts";
import { SliceTaker } from "./slice-taker.ts";

export type RateSource = {
  /** The live instances; each grants its share of a limit while the database does not answer. */
  readonly share: () => InstanceShare;
  /** Where all instances count; without it this one grants its share. */
  readonly database?: {
    readonly buckets: RateBuckets;
    /** How long a call waits for it. */
    readonly waitMs: number;
    readonly log: Log;
  };
};

const onlyInstance: InstanceShare = { instances: 1, rank: 0 };

/** A request that was admitted. */
export type Admission = {
  /** `x-ratelimit-*`; empty for a call without such limits. */
  readonly headers: RateHeaders;
  /** With the tokens the request actually used; only the first call counts. */
  end(usedTokens: number): void;
};

const sweepMs = 1_000;

export class RateLimiter {
  readonly #book: SliceBook;
  readonly #reading = new ConcurrentCalls();
  readonly #bodies: BodyMemory;
  readonly #share: () => InstanceShare;
  readonly #taker: SliceTaker | undefined;
  readonly #sweeping: Loop | undefined;

  constructor(bounds: Partial<RunningBounds> = {}, source: Partial<RateSource> = {}) {
    const { share = () => onlyInstance, database } = source;
    this.#bodies = new BodyMemory(bounds.bodyMebibytes);
    this.#book = new SliceBook(bounds, share);
    this.#share = share;
    if (database === undefined) return;
    const { log, ...taken } = database;
    const nowMs = () => performance.now();
    const onFailure = () => this.#markUnsure();
    this.#taker = new SliceTaker({ ...taken, nowMs, onFailure });
    this.#sweeping = startInterval(sweepMs, () => this.#settleDue(), {
      job: "return rate slices",
      log,
    });
  }

  /** Callers that are remembered; idle ones are forgotten from time to time. */
  get size(): number {
    return this.#book.size;
  }

  /** What request bodies are counted as, of all accounts. */
  get bodyBytes(): number {
    return this.#bodies.bytes;
  }

  /**
   * Reserves a slot for a call whose body is about to be read: expanding and parsing bodies is bounded in each
   * process by the numbers of concurrent calls, and by their memory: this body has `bodyBytes` until its slot is
   * resized. Throws `rate_limit_exceeded` or `overloaded`.
   */
  reserveSlot(caller: LimitedCaller, bodyBytes: number): BodySlot {
    const { accountId, keyId } = caller;
    const { accounts, keys } = this.#reading;
    const { ofKey, ofAccount } = this.#book.concurrency(caller);
    if (keyId !== null && keys.of(keyId) >= ofKey) throw tooManyAtOnce("key", ofKey);
    if (accounts.of(accountId) >= ofAccount) throw tooManyAtOnce("account", ofAccount);
    return new BodySlot(caller, this.#reading, this.#bodies, bodyBytes);
  }

  /**
   * `expectedTokens` are taken immediately and corrected when the request ends, so that a burst cannot
   * exceed a limit before it is counted. Throws or rejects with `rate_limit_exceeded`.
   */
  admit(
    caller: LimitedCaller,
    expectedTokens: number,
    nowMs = performance.now(),
  ): Admission | Promise<Admission> {
    const known = this.#book.of(caller, nowMs);
    const { slices } = known;
    for (const slice of slices) {
      if (!slice.covers(slice.needOf(expectedTokens))) {
        return this.#admitBeyond(known, expectedTokens, nowMs);
      }
    }
    for (const slice of slices) slice.take(slice.needOf(expectedTokens), nowMs);
    return this.#begin(known, takenFrom(known, expectedTokens), nowMs);
  }

  /** Others may have been given the slots of this instance, because its heartbeat lapsed. */
  forfeit(): void {
    for (const slice of this.#book.all()) slice.forfeit();
  }

  /** Returns what is in hand, if the database answers. */
  async close(): Promise<void> {
    if (this.#taker === undefined) return;
    await this.#sweeping?.stop();
    const held = [...this.#book.all()].filter((slice) => slice.inHand > 0);
    for (const slice of held) slice.due = slice.inHand;
    await this.#taker.settleAll(held);
    await this.#taker.settled();
    await this.#taker.close();
  }

  /** A call that the slices in hand do not cover. */
  #admitBeyond(known: CallerSlices, tokens: number, nowMs: number): Admission | Promise<Admission> {
    const taker = this.#taker;
    if (taker === undefined || taker.isSlow(known.slices))
      return this.#admitByShare(known, tokens, nowMs);
    for (const slice of known.slices) {
      const need = slice.needOf(tokens);
      if (slice.covers(need) || slice.mayHave(need, nowMs)) continue;
      throw refusalBy(slice, known, slice.waitMs(need, false, nowMs), nowMs);
    }
    return this.#admitLater(taker, known, tokens);
  }

  async #admitLater(taker: SliceTaker, known: CallerSlices, tokens: number): Promise<Admission> {
    const { slices } = known;
    const needs = slices.map((slice) => slice.needOf(tokens));
    const taken = await taker.take(slices, needs);
    const nowMs = performance.now();
    // What it needs may be another number by now, if a limit was changed.
    if (taken === "granted") return this.#begin(known, needs, nowMs);
    if (taken === "late") return this.#admitByShare(known, tokens, nowMs);
    throw refusalBy(taken, known, taken.waitMs(taken.needOf(tokens), false, nowMs), nowMs);
  }

  /** The database does not answer: as much as this instance's share of each limit, and what is in hand. */
  #admitByShare(known: CallerSlices, tokens: number, nowMs: number): Admission {
    const share = this.#share();
    for (const slice of known.slices) {
      const need = slice.needOf(tokens);
      if (slice.covers(need) || slice.mayByShare(need, share, nowMs)) continue;
      throw refusalBy(slice, known, slice.waitMs(need, true, nowMs), nowMs);
    }
    for (const slice of known.slices) slice.take(slice.needOf(tokens), nowMs);
    return this.#begin(known, takenFrom(known, tokens), nowMs);
  }

  #begin(known: CallerSlices, taken: readonly number[] | undefined, nowMs: number): Admission {
    const headers = known.hasRates ? rateHeadersOf(known.slices, nowMs) : noHeaders;
    return new RunningCall(known, taken, headers, this.#taker);
  }

  async #settleDue(): Promise<void> {
    const nowMs = performance.now();
    await this.#taker?.settleAll([...this.#book.all()].filter((slice) => slice.sweep(nowMs)));
  }

  /** The database may have lost what it counted: every instance tells it which slots it uses. */
  #markUnsure(): void {
    for (const slice of this.#book.all()) if (slice.holdsSlots) slice.isUnsure = true;
  }
}

/** What a call takes of each slice now; undefined if that is one slot of each. */
function takenFrom({ slices, hasRates }: CallerSlices, tokens: number) {
  return hasRates ? slices.map((slice) => slice.needOf(tokens)) : undefined;
}

class RunningCall implements Admission {
  readonly headers: RateHeaders;
  readonly #slices: readonly RateSlice[];
  /** What it took of each; undefined if that is one slot of each. */
  readonly #taken: readonly number[] | undefined;
  readonly #taker: SliceTaker | undefined;
  #hasEnded = false;

  constructor(
    { slices }: CallerSlices,
    taken: readonly number[] | undefined,
    headers: RateHeaders,
    taker: SliceTaker | undefined,
  ) {
    this.headers = headers;
    this.#slices = slices;
    this.#taken = taken;
    this.#taker = taker;
  }

  end(usedTokens: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const nowMs = performance.now();
    for (let at = 0; at < this.#slices.length; at += 1) {
      const slice = this.#slices[at];
      if (slice?.end(this.#taken?.[at] ?? 1, usedTokens, nowMs)) void this.#taker?.settle([slice]);
    }
  }
}

function refusalBy(
  { owner, limit }: RateSlice,
  { slices }: CallerSlices,
  waitMs: number,
  nowMs: number,
): Fault {
  const { kind, dimension } = owner;
  const what = dimension === "concurrency" ? "concurrent requests" : `${dimension} per minute`;
  return rateLimitFault(kind, `${limit} ${what}`, waitMs, rateHeadersOf(slices, nowMs));
}

function tooManyAtOnce(kind: "key" | "account", limit: number): Fault {
  return rateLimitFault(kind, `${limit} concurrent requests`, 1_000, noHeaders);
}
