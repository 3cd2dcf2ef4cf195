// What this instance has taken of one limit that all instances share, and not used yet: calls are granted from it
// without a statement. While PostgreSQL does not answer, the instance grants its share of what was left when it last
// did and of what has refilled since, as a debt that is settled later; of a limit that it knows nothing of, its share.
import {
  Demand,
  type InstanceShare,
  isNearlyEmpty,
  type RateBucketChange,
  type RateDimension,
  type RateSubjectKind,
} from "@turnpike/ledger";
import { RateBucket } from "./rate-bucket.ts";
import { shareCount } from "./share-limit.ts";

/** Whose limit it is, and of what. */
export type SliceOwner = Pick<RateBucketChange, "accountId" | "subjectId"> & {
  readonly kind: RateSubjectKind;
  readonly dimension: RateDimension;
};

/** What is taken in advance covers about this much time at the recent demand. */
const headStartMs = 1_000;
/** A slot is free when a call ends, which no clock foretells: an instance that found none asks again after this. */
const slotRetryMs = 100;
/** Nobody is told to wait longer, although a large debt of tokens takes longer. */
const waitMaxMs = 60_000;
const freeSlotMs = 1_000;
/** So often the database is told at least which slots are in use: after a crash it has forgotten them. */
const tellEveryMs = 10_000;

export class RateSlice {
  readonly owner: SliceOwner;
  #limit: number;
  /** Negative: used without having been taken. */
  inHand = 0;
  /** The least that was in hand since the last sweep: nothing needed it. */
  #lowest = 0;
  /** To be returned with the next statement. */
  due = 0;
  /** Calls that run, of concurrency. */
  running = 0;
  /** Waiting calls that need it. */
  pending = 0;
  /** A statement to settle it is queued. */
  isSettling = false;
  /** A statement about it failed: the database may have counted more, or less after a crash. */
  isUnsure = false;
  /** So little is left that nothing is kept in hand. */
  #isExact = true;
  /** What the bucket had left when the database last answered. */
  #left = Number.POSITIVE_INFINITY;
  #leftAtMs = 0;
  #asksAgainAtMs = 0;
  #lastNeed = 1;
  readonly #demand: Demand;
  /** What this instance used, against its share; not of concurrency, where `running` says it. */
  #share: RateBucket;
  /** This instance's share of what was left; undefined until it is needed after the database has answered. */
  #shareOfLeft: RateBucket | undefined;

  constructor(owner: SliceOwner, limit: number, share: InstanceShare, nowMs: number) {
    this.owner = owner;
    this.#limit = limit;
    this.#demand = new Demand(headStartMs, nowMs);
    this.#share = new RateBucket(limit, shareCount(limit, owner.subjectId, share), nowMs);
  }

  get limit(): number {
    return this.#limit;
  }

  /** Its owner changed it. */
  setLimit(limit: number, share: InstanceShare, nowMs: number): void {
    if (limit === this.#limit) return;
    const part = Math.min(1, limit / this.#limit);
    if (part < 1) this.#shrink(part);
    if (part === 1 || this.owner.dimension === "concurrency") this.#left += limit - this.#limit;
    this.#asksAgainAtMs = 0;
    this.#limit = limit;
    this.#shareOfLeft = undefined;
    const used = Math.max(0, this.#share.share - this.#share.level(nowMs)) * part;
    this.#share = new RateBucket(limit, shareCount(limit, this.owner.subjectId, share), nowMs);
    this.#share.take(used, nowMs);
  }

  /** Only this part of what is in hand and of what is left is within a lower limit, as in the database. */
  #shrink(part: number): void {
    this.#isExact = true;
    if (this.owner.dimension === "concurrency") {
      this.inHand = Math.min(0, this.inHand);
      this.isUnsure = true;
    } else {
      if (this.inHand > 0) this.inHand = Math.floor(this.inHand * part);
      this.#left *= part;
    }
    if (this.inHand < this.#lowest) this.#lowest = this.inHand;
  }

  /** What a call of so many tokens needs of it: a call larger than the limit runs alone instead of never. */
  needOf(tokens: number): number {
    return this.owner.dimension === "tokens" ? Math.min(Math.max(1, tokens), this.#limit) : 1;
  }

  covers(need: number): boolean {
    return this.inHand >= need;
  }

  take(need: number, nowMs: number): void {
    this.#use(need, nowMs);
    this.start(need, nowMs);
  }

  /** What is not in hand is used without having been taken. */
  #use(amount: number, nowMs: number): void {
    const owed = Math.max(0, -this.inHand);
    this.inHand -= amount;
    this.#shareOfLeft?.take(Math.max(0, -this.inHand) - owed, nowMs);
    if (this.inHand < this.#lowest) this.#lowest = this.inHand;
  }

  /** A call begins whose need was set aside for it. */
  start(need: number, nowMs: number): void {
    this.#lastNeed = need;
    this.#demand.add(need, nowMs);
    if (this.owner.dimension === "concurrency") this.running += 1;
    else this.#share.take(need, nowMs);
  }

  /** A call has ended that took `taken` and used `used`. True if that must be settled immediately. */
  end(taken: number, used: number, nowMs: number): boolean {
    const { dimension } = this.owner;
    if (dimension === "requests") return false;
    if (dimension === "concurrency") {
      this.running -= 1;
      this.inHand += 1;
      this.#asksAgainAtMs = 0;
    } else {
      this.#use(used - taken, nowMs);
      this.#share.take(used - taken, nowMs);
    }
    if (this.inHand < 0) return true;
    if (!this.#isExact || this.inHand === 0) return false;
    this.due = this.inHand;
    return true;
  }

  /** The head start that the recent demand suggests. */
  ahead(nowMs: number): number {
    return this.#demand.at(nowMs);
  }

  /** What all instances together may still use, as far as is known here. */
  #remaining(nowMs: number): number {
    const refilled = ((nowMs - this.#leftAtMs) * this.#limit) / 60_000;
    const left = this.owner.dimension === "concurrency" ? this.#left : this.#left + refilled;
    return Math.min(this.#limit, left) + Math.max(0, this.inHand);
  }

  /** Whether the database may still have what is needed. Until then nobody asks. */
  mayHave(need: number, nowMs: number): boolean {
    if (this.owner.dimension === "concurrency") return nowMs >= this.#asksAgainAtMs;
    return this.#remaining(nowMs) >= need;
  }

  /** What the database answered to a statement of `sentAtMs`. */
  updateFromDatabase(remaining: number, sentAtMs: number): void {
    this.isUnsure = false;
    this.#left = remaining;
    this.#leftAtMs = sentAtMs;
    this.#shareOfLeft = undefined;
    this.#isExact = isNearlyEmpty(remaining, this.#lastNeed);
  }

  /** The database has not enough for a call. */
  refused(nowMs: number): void {
    this.#asksAgainAtMs = nowMs + slotRetryMs;
  }

  /** Whether the database has ever said what is left of a rate: until then a call waits longer for it. */
  get isKnown(): boolean {
    return this.owner.dimension === "concurrency" || Number.isFinite(this.#left);
  }

  /** Whether this instance may grant a call without having asked. */
  mayByShare(need: number, share: InstanceShare, nowMs: number): boolean {
    const own = shareCount(this.#limit, this.owner.subjectId, share);
    if (this.owner.dimension === "concurrency") return this.running < own;
    const bucket = this.#bucketOf(own, nowMs);
    bucket.resize(own, nowMs);
    return bucket.level(nowMs) >= Math.min(need, Math.max(1, own));
  }

  /** What decides without the database, for this share of the limit. */
  #bucketOf(own: number, nowMs: number): RateBucket {
    if (!this.isKnown) return this.#share;
    if (this.#shareOfLeft !== undefined) return this.#shareOfLeft;
    const level = (this.#left * own) / this.#limit;
    const bucket = new RateBucket(this.#limit, own, this.#leftAtMs, level);
    bucket.take(Math.max(0, -this.inHand), nowMs);
    this.#shareOfLeft = bucket;
    return bucket;
  }

  /** How long until a call may be granted; by its share, if the database was not asked. */
  waitMs(need: number, byShare: boolean, nowMs: number): number {
    if (this.owner.dimension === "concurrency") return freeSlotMs;
    const bucket = this.#shareOfLeft ?? this.#share;
    const ms =
      byShare && bucket.share > 0
        ? bucket.waitMs(Math.min(need, Math.max(1, bucket.share)), nowMs)
        : ((need - this.#remaining(nowMs)) * 60_000) / this.#limit;
    return Number.isFinite(ms) ? Math.min(waitMaxMs, Math.max(0, ms)) : waitMaxMs;
  }

  /** What is left, and the time until it is full. */
  describe(nowMs: number): { readonly remaining: number; readonly resetMs: number } {
    const remaining = Number.isFinite(this.#left)
      ? Math.min(this.#limit, this.#remaining(nowMs))
      : this.#share.level(nowMs);
    const full = Number.isFinite(this.#left) ? this.#limit : this.#share.share;
    const resetMs = ((full - remaining) * 60_000) / Math.max(1, full);
    return { remaining: Math.max(0, Math.floor(remaining)), resetMs };
  }

  /** What was used without asking, but for what has refilled since. */
  debt(nowMs: number): number {
    if (this.inHand >= 0) return 0;
    if (this.owner.dimension === "concurrency") return -this.inHand;
    return Math.min(-this.inHand, Math.max(0, this.#share.share - this.#share.level(nowMs)));
  }

  /** Once a second: what nothing needed meanwhile is due. True if there is anything to settle. */
  sweep(nowMs: number): boolean {
    this.due = Math.max(this.due, 0, this.#lowest);
    this.#lowest = this.inHand;
    const isForgotten = this.holdsSlots && nowMs - this.#leftAtMs >= tellEveryMs;
    return this.isUnsure || isForgotten || this.due > 0 || this.debt(nowMs) > 0;
  }

  /** Of concurrency: the database has to know of it. */
  get holdsSlots(): boolean {
    return this.owner.dimension === "concurrency" && (this.running > 0 || this.inHand > 0);
  }

  /** Others may have been given the slots that it holds. */
  forfeit(): void {
    if (this.owner.dimension !== "concurrency") return;
    this.inHand = -this.running;
    this.#lowest = this.inHand;
  }

  /** Whether a new one would be the same. */
  isIdle(nowMs: number): boolean {
    if (this.running > 0 || this.pending > 0 || this.isSettling || this.inHand > 0) return false;
    if (this.isUnsure) return false;
    return this.#demand.at(nowMs) === 0 && this.#share.isFull(nowMs);
  }
}
