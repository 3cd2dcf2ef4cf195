// Group commit: while one batch is in flight the next one fills, and if it may for a moment longer. An item whose
// account stays locked goes to a side queue of its account, and a batch that fails is halved until
// the bad item is isolated, so that one account never stalls the others.
import { pauseAfter, pauseAfterBatch } from "./pause-after-batch.ts";

/** A promise as a result answers its item later; the item is in no further batch. */
export type RunBatch<Item, Result> = (
  items: readonly Item[],
  attempt: { readonly wait: boolean },
) => Promise<readonly (Result | Promise<Result> | "busy")[]>;

/**
 * What a failed batch means: its outcome is not known, because its answer was lost (`unknown`);
 * none of it was possible now (`whole`); one of its items is bad (`bad_item`); or either of the last
 * two (`unclear`).
 */
export type BatchFailure = "unknown" | "whole" | "bad_item" | "unclear";

/** Whether a part of the batch may succeed without the rest. */
export function mayBeOneItem(failure: BatchFailure): boolean {
  return failure === "bad_item" || failure === "unclear";
}

export type GroupCommitOptions<Item, Result> = {
  readonly run: RunBatch<Item, Result>;
  /**
   * An answer that needs no batch; asked for each item before every batch it would be in. The item is
   * answered immediately, so a failure of the batch does not concern it.
   */
  readonly answer?: (item: Item) => Result | undefined;
  readonly accountOf: (item: Item) => string;
  readonly batchMax: number;
  readonly pauseMaxMs?: number;
  readonly queueMax: number;
  /** Accounts served by side queues at the same time. */
  readonly sideMax: number;
  /** An item older than this is rejected instead of tried. */
  readonly ageMaxMs: number;
  readonly classify: (error: unknown) => BatchFailure;
  /** Whether an item that failed this many times is tried again, after a pause that doubles. */
  readonly mayRetry: (
    failure: BatchFailure,
    item: Item,
    tries: { readonly failures: number; readonly error: unknown },
  ) => boolean;
  readonly overflow: () => Error;
  /** Called for each item that is rejected, just before it is. */
  readonly rejected?: (item: Item) => void;
  /** Whether no batch can succeed at present after one failed as a whole for this reason. */
  readonly isOutage: (error: unknown) => boolean;
  /** How long the longest-waiting item of a queue waited; reported for every batch, stale items included. */
  readonly queued: (waitMs: number, queue: "main" | "side") => void;
  readonly observe: (queue: "main" | "side", size: number, waitMs: number) => void;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly since: number;
  failures: number;
  /** When its account was first found locked. */
  busySince: number | undefined;
  /** Set once an answer was lost: the item may have been processed. */
  lost: unknown;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * How long a locked account is retried with the next batches before it moves to a side queue. Most
 * locks belong to the other queue or to another process, and end with its commit.
 */
const busyMaxMs = 25;

/** Items in, results out; each item is in one batch at a time. */
export class GroupCommitQueue<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  #running = false;
  #pending = 0;
  readonly #side = new Map<string, Waiting<Item, Result>[]>();
  readonly #sideRunning = new Set<string>();
  #idle: PromiseWithResolvers<void> | undefined;
  #outage: unknown;
  #lostBatches = 0;

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
  }

  /** Items not answered yet. */
  get pending(): number {
    return this.#pending;
  }

  /**
   * Why nothing can be written, since a batch failed for a reason that concerns all; undefined once one has
   * succeeded, or nothing waits that could show it. One lost connection is not yet a reason.
   */
  get outage(): unknown {
    return this.#pending === 0 ? undefined : this.#outage;
  }

  /** Rejects immediately if the queue is full; otherwise when the item's batch does. */
  push(item: Item): Promise<Result> {
    if (this.#pending >= this.#options.queueMax) {
      this.#options.rejected?.(item);
      return Promise.reject(this.#options.overflow());
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending += 1;
    this.#queue.push({
      item,
      since: performance.now(),
      failures: 0,
      busySince: undefined,
      lost: undefined,
      resolve,
      reject,
    });
    if (!this.#running) {
      this.#running = true;
      // One turn of the microtask queue lets requests of the same tick share the first batch.
      queueMicrotask(() => void this.#drainQueue());
    }
    return promise;
  }

  /** Resolves when nothing is waiting or in flight. */
  async settled(): Promise<void> {
    if (this.#pending === 0) return;
    this.#idle ??= Promise.withResolvers<void>();
    await this.#idle.promise;
  }

  async #drainQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#options.batchMax);
      if (batch[0]) this.#options.queued(performance.now() - batch[0].since, "main");
      const startedAtMs = performance.now();
      await this.#runBatch(this.#rejectStale(batch), "main");
      await pauseAfterBatch(
        batch.length,
        performance.now() - startedAtMs,
        this.#options.pauseMaxMs,
      );
    }
    this.#running = false;
  }

  async #runBatch(items: Waiting<Item, Result>[], queue: "main" | "side"): Promise<void> {
    const batch = this.#answerSome(items);
    const first = batch[0];
    if (first === undefined) return;
    this.#options.observe(queue, batch.length, performance.now() - first.since);
    try {
      const results = await this.#options.run(
        batch.map((waiting) => waiting.item),
        { wait: queue === "side" },
      );
      this.#outage = undefined;
      this.#lostBatches = 0;
      const busy: Waiting<Item, Result>[] = [];
      for (let index = 0; index < batch.length; index += 1) {
        const waiting = batch[index];
        const result = results[index];
        if (waiting === undefined) continue;
        if (result === "busy") busy.push(waiting);
        else if (result !== undefined) this.#resolve(waiting, result);
        else this.#reject(waiting, new Error("the batch left an item unanswered"));
      }
      if (busy.length > 0) this.#postpone(busy, queue);
    } catch (error) {
      await this.#recover(batch, queue, error);
    }
  }

  /** Answers the items that need no batch; returns the others. */
  #answerSome(items: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const { answer } = this.#options;
    if (answer === undefined) return items;
    return items.filter((waiting) => {
      const result = answer(waiting.item);
      if (result === undefined) return true;
      this.#resolve(waiting, result);
      return false;
    });
  }

  /** Items of locked accounts: briefly at the end of the queue, then in a side queue. */
  #postpone(busy: readonly Waiting<Item, Result>[], queue: "main" | "side"): void {
    const now = performance.now();
    const leaving: Waiting<Item, Result>[] = [];
    for (const waiting of busy) {
      waiting.busySince ??= now;
      const brief = queue === "main" && now - waiting.busySince <= busyMaxMs;
      if (brief && !this.#sideRunning.has(this.#options.accountOf(waiting.item))) {
        this.#queue.push(waiting);
      } else {
        leaving.push(waiting);
      }
    }
    this.#moveAside(leaving);
  }

  async #recover(
    batch: Waiting<Item, Result>[],
    queue: "main" | "side",
    error: unknown,
  ): Promise<void> {
    const failure = this.#options.classify(error);
    this.#lostBatches = failure === "unknown" ? this.#lostBatches + 1 : 0;
    const isOutage = failure === "whole" && this.#options.isOutage(error);
    if (isOutage || this.#lostBatches > 1) this.#outage = error;
    if (mayBeOneItem(failure) && batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#runBatch(batch.slice(0, middle), queue);
      await this.#runBatch(batch.slice(middle), queue);
      return;
    }
    const again = batch.filter((waiting) => {
      waiting.failures += 1;
      if (failure === "unknown") waiting.lost = error;
      if (this.#mayRetry(waiting, failure, error)) return true;
      this.#reject(waiting, error);
      return false;
    });
    const pauseMs = Math.max(0, ...again.map(pauseAfter));
    if (again.length > 0) setTimeout(() => this.#moveAside(again), pauseMs);
  }

  #mayRetry(waiting: Waiting<Item, Result>, failure: BatchFailure, error: unknown): boolean {
    const ageMs = performance.now() + pauseAfter(waiting) - waiting.since;
    if (ageMs > this.#options.ageMaxMs) return false;
    return this.#options.mayRetry(failure, waiting.item, { failures: waiting.failures, error });
  }

  #rejectStale(batch: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const oldest = performance.now() - this.#options.ageMaxMs;
    if (!Number.isFinite(oldest)) return batch;
    return batch.filter((waiting) => {
      if (waiting.since >= oldest) return true;
      this.#reject(waiting, waiting.lost ?? this.#options.overflow());
      return false;
    });
  }

  #moveAside(items: readonly Waiting<Item, Result>[]): void {
    for (const waiting of items) {
      const account = this.#options.accountOf(waiting.item);
      const queue = this.#side.get(account);
      if (queue === undefined) this.#side.set(account, [waiting]);
      else queue.push(waiting);
    }
    this.#startSides();
  }

  #startSides(): void {
    for (const account of this.#side.keys()) {
      if (this.#sideRunning.size >= this.#options.sideMax) return;
      if (this.#sideRunning.has(account)) continue;
      this.#sideRunning.add(account);
      void this.#drainSide(account);
    }
  }

  async #drainSide(account: string): Promise<void> {
    const queue = this.#side.get(account) ?? [];
    const batch = queue.splice(0, this.#options.batchMax);
    // An account that is still waiting goes behind the others.
    this.#side.delete(account);
    if (queue.length > 0) this.#side.set(account, queue);
    if (batch[0]) this.#options.queued(performance.now() - batch[0].since, "side");
    await this.#runBatch(batch, "side");
    this.#sideRunning.delete(account);
    for (const [waitingAccount, waiting] of this.#side) {
      const fresh = this.#rejectStale(waiting);
      if (fresh.length > 0) this.#side.set(waitingAccount, fresh);
      else this.#side.delete(waitingAccount);
    }
    this.#startSides();
  }

  #resolve(waiting: Waiting<Item, Result>, result: Result | Promise<Result>): void {
    waiting.resolve(result);
    this.#ended();
  }

  #reject(waiting: Waiting<Item, Result>, error: unknown): void {
    this.#options.rejected?.(waiting.item);
    waiting.reject(error);
    this.#ended();
  }

  #ended(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
