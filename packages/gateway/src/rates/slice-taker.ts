// Takes slices of limits from the database for calls that the slices in hand do not cover, in one statement for all
// that wait, and returns what is not used. A call waits no longer than its bound; what its statement still takes
// for it afterwards is a slice in hand.
import { overloaded } from "@turnpike/base";
import {
  classifyBatchFailure,
  GroupCommitQueue,
  type RateBucketChange,
  type RateBuckets,
  type RateNeed,
} from "@turnpike/ledger";
import type { RateSlice } from "./rate-slice.ts";

/** The slice that refuses the call, or that the database did not answer in time. */
export type Taken = "granted" | "late" | RateSlice;

/** A call that waits for what its slices lack, or slices that only settle: those need nothing. */
type SliceNeed = {
  readonly slices: readonly RateSlice[];
  readonly needs: readonly number[];
  /** Of each slice, what was in hand and is set aside. */
  readonly owns: number[];
  /** Of each slice, what is taken beyond that. */
  readonly lacks: number[];
  taken: Taken | undefined;
  /** The call did not wait for its answer. */
  isOver: boolean;
};

/** A bucket of a statement. */
type Entry = { readonly position: number; reserved: number; forgiven: number };

export type SliceTakerOptions = {
  readonly buckets: RateBuckets;
  /** How long a call waits for the database. */
  readonly waitMs: number;
  readonly nowMs: () => number;
  /** It is not known what the database has counted. */
  readonly onFailure: () => void;
};

const batchMax = 128;
/** Most of a statement costs the same however many calls share it. */
const pauseMaxMs = 4;
const queueMax = 10_000;
const settledAtOnce = 200;
/** After a failure no call waits for so long. */
const pauseMs = 1_000;
/** How long a call waits for the first answer about a rate: without it, what others used would be granted again. */
const firstWaitMs = 1_000;

export class SliceTaker {
  readonly #options: SliceTakerOptions;
  readonly #queue: GroupCommitQueue<SliceNeed, Taken>;
  #sentAtMs: number | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SliceTakerOptions) {
    this.#options = options;
    this.#queue = new GroupCommitQueue({
      answer: (ask) => this.#answerFromHand(ask),
      run: (asks) => this.#run(asks),
      accountOf: (ask) => ask.slices[0]?.owner.accountId ?? "",
      batchMax,
      pauseMaxMs,
      queueMax,
      sideMax: 1,
      ageMaxMs: Number.POSITIVE_INFINITY,
      classify: classifyBatchFailure,
      mayRetry: () => false,
      overflow: () => overloaded("rates"),
      isOutage: () => false,
      queued: () => undefined,
      observe: () => undefined,
    });
  }

  /** The database has not answered a statement for longer than these calls may wait, or has just failed. */
  isSlow(slices: readonly RateSlice[]): boolean {
    const nowMs = this.#options.nowMs();
    if (nowMs - this.#failedAtMs < pauseMs) return true;
    return this.#sentAtMs !== undefined && nowMs - this.#sentAtMs > this.#waitMs(slices);
  }

  #waitMs(slices: readonly RateSlice[]): number {
    const { waitMs } = this.#options;
    return slices.every(({ isKnown }) => isKnown) ? waitMs : Math.max(waitMs, firstWaitMs);
  }

  /** Never rejects. If it was granted, the call has begun. */
  async take(slices: readonly RateSlice[], needs: readonly number[]): Promise<Taken> {
    const ask: SliceNeed = { slices, needs, owns: [], lacks: [], taken: undefined, isOver: false };
    for (const slice of slices) slice.pending += 1;
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    // An answer that has arrived is read before the call is late, however busy this process was.
    const timer = setTimeout(() => setImmediate(resolve, "late"), this.#waitMs(slices));
    try {
      await Promise.race([this.#queue.push(ask), late]);
    } catch {
      // Late: nothing was taken.
    } finally {
      clearTimeout(timer);
      for (const slice of slices) slice.pending -= 1;
    }
    if (ask.taken !== undefined) return ask.taken;
    ask.isOver = true;
    // What was set aside is needed now; the statement keeps it.
    giveBackOwn(ask);
    return "late";
  }

  /**
   * Returns what is due of some slices, and tells the database what was used without asking. Never rejects; false
   * if the statement failed.
   */
  async settle(slices: readonly RateSlice[]): Promise<boolean> {
    const asked = slices.filter((slice) => !slice.isSettling);
    if (asked.length === 0) return true;
    for (const slice of asked) slice.isSettling = true;
    const ask: SliceNeed = {
      slices: asked,
      needs: [],
      owns: [],
      lacks: [],
      taken: undefined,
      isOver: false,
    };
    let isDone = true;
    try {
      await this.#queue.push(ask);
    } catch {
      // The next sweep settles.
      isDone = false;
    }
    for (const slice of asked) slice.isSettling = false;
    const nowMs = this.#options.nowMs();
    // What became due meanwhile would otherwise wait for the next sweep.
    if (isDone) void this.settle(asked.filter((slice) => slice.due > 0 || slice.debt(nowMs) > 0));
    return isDone;
  }

  /** The same of many, a part at a time: a statement about thousands would take longer than calls wait. */
  async settleAll(slices: readonly RateSlice[]): Promise<void> {
    for (let from = 0; from < slices.length; from += settledAtOnce) {
      if (!(await this.settle(slices.slice(from, from + settledAtOnce)))) return;
    }
  }

  /** Resolves when nothing is waiting or in flight. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  close(): Promise<void> {
    return this.#options.buckets.close();
  }

  #answerFromHand(ask: SliceNeed): Taken | undefined {
    if (ask.isOver) return "late";
    const { slices, needs } = ask;
    if (needs.length === 0 || !slices.every((slice, at) => slice.covers(needs[at] ?? 0))) {
      return undefined;
    }
    const nowMs = this.#options.nowMs();
    for (const [at, slice] of slices.entries()) slice.take(needs[at] ?? 0, nowMs);
    ask.taken = "granted";
    return ask.taken;
  }

  async #run(asks: readonly SliceNeed[]): Promise<readonly Taken[]> {
    const sentAtMs = this.#options.nowMs();
    const entries = new Map<RateSlice, Entry>();
    const needs = asks.flatMap((ask, index) => reserveOwn(entries, ask, index + 1));
    const changes = [...entries].map(([slice, entry]) => describe(slice, entry, sentAtMs));
    this.#sentAtMs = sentAtMs;
    try {
      const taken = await this.#options.buckets.take(changes, needs);
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
      const slices = [...entries.keys()];
      for (const [slice, { position, forgiven }] of entries) {
        slice.inHand += forgiven;
        // A head start on a limit that was lowered meanwhile is not within the new one.
        const isLower = slice.limit < (changes[position - 1]?.limit ?? 0);
        if (!isLower) slice.inHand += taken.extra[position - 1] ?? 0;
        slice.updateFromDatabase(taken.remaining[position - 1] ?? 0, sentAtMs);
      }
      return asks.map((ask, index) => this.#apply(ask, slices[(taken.refused[index] ?? 0) - 1]));
    } catch (error) {
      this.#failedAtMs = this.#options.nowMs();
      for (const ask of asks) giveBackOwn(ask);
      for (const slice of entries.keys()) slice.isUnsure = true;
      this.#options.onFailure();
      throw error;
    } finally {
      this.#sentAtMs = undefined;
    }
  }

  #apply(ask: SliceNeed, refusing: RateSlice | undefined): Taken {
    const nowMs = this.#options.nowMs();
    if (refusing !== undefined) {
      refusing.refused(nowMs);
      giveBackOwn(ask);
    } else if (ask.isOver) {
      for (const [at, slice] of ask.slices.entries()) slice.inHand += ask.lacks[at] ?? 0;
    } else {
      // Here, because the next statement may be sent before the call continues.
      for (const [at, need] of ask.needs.entries()) ask.slices[at]?.start(need, nowMs);
    }
    ask.taken = refusing ?? "granted";
    return ask.taken;
  }
}

/** Sets aside what the call needs and its slices have; returns what they lack. */
function reserveOwn(entries: Map<RateSlice, Entry>, ask: SliceNeed, call: number): RateNeed[] {
  const lacking: RateNeed[] = [];
  for (const [at, slice] of ask.slices.entries()) {
    const need = ask.needs[at] ?? 0;
    const own = Math.max(0, Math.min(slice.inHand, need));
    ask.owns[at] = own;
    ask.lacks[at] = need - own;
    slice.inHand -= own;
    const entry = entries.get(slice) ?? { position: entries.size + 1, reserved: 0, forgiven: 0 };
    entry.reserved += own;
    entries.set(slice, entry);
    if (need > own) lacking.push({ call, bucket: entry.position, amount: need - own });
  }
  return lacking;
}

function giveBackOwn({ slices, owns }: SliceNeed): void {
  for (const [at, slice] of slices.entries()) slice.inHand += owns[at] ?? 0;
  owns.length = 0;
}

/** What is due leaves the slice now: no call is granted from it meanwhile, and it is lost with the statement. */
function describe(slice: RateSlice, entry: Entry, nowMs: number): RateBucketChange {
  const { kind, dimension, accountId, subjectId } = slice.owner;
  const returned = Math.max(0, Math.min(slice.due, slice.inHand));
  slice.due = 0;
  slice.inHand -= returned;
  entry.forgiven = Math.max(0, -slice.inHand);
  const settled =
    dimension === "concurrency"
      ? slice.running + Math.max(0, slice.inHand) + entry.reserved
      : slice.debt(nowMs) - returned;
  const ahead = Math.floor(slice.ahead(nowMs));
  return { accountId, subjectId, name: `${kind}_${dimension}`, limit: slice.limit, settled, ahead };
}
