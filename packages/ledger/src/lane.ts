// Group commit: while one batch is in flight the next one fills, without a timer. An item whose
// account is locked by someone else goes to a side lane of its account, and a batch that fails is
// halved until the culprit is alone, so that one account never stalls the others.

export type RunBatch<Item, Result> = (
  items: readonly Item[],
  attempt: { readonly wait: boolean; readonly retry: boolean },
) => Promise<readonly (Result | "busy")[]>;

/**
 * What a failed batch says: nothing, since its answer was lost (`unknown`); that none of it was
 * possible now (`whole`); or that one of its items is bad (`poison`).
 */
export type BatchFailure = "unknown" | "whole" | "poison";

export type LaneOptions<Item, Result> = {
  readonly run: RunBatch<Item, Result>;
  readonly accountOf: (item: Item) => string;
  readonly batchMax: number;
  readonly queueMax: number;
  /** Accounts served by side lanes at once. */
  readonly sideMax: number;
  /** An item that waited longer for its first batch is rejected with `overflow`. */
  readonly queuedMaxMs: number;
  readonly judge: (error: unknown) => BatchFailure;
  /** Whether a failed item is tried again, after a pause that doubles. */
  readonly again: (failure: BatchFailure, item: Item, attempts: number) => boolean;
  readonly overflow: () => Error;
  readonly observe: (lane: "main" | "side", size: number, waitMs: number) => void;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly since: number;
  attempts: number;
  retry: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

const pauseMinMs = 50;
const pauseMaxMs = 2_000;

/** Items in, results out; each item is in one batch at a time. */
export class Lane<Item, Result> {
  readonly #options: LaneOptions<Item, Result>;
  #queue: Waiting<Item, Result>[] = [];
  #running = false;
  #pending = 0;
  readonly #side = new Map<string, Waiting<Item, Result>[]>();
  readonly #sideRunning = new Set<string>();
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(options: LaneOptions<Item, Result>) {
    this.#options = options;
  }

  /** Items not answered yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Rejects at once when the queue is full; otherwise when the item's batch does. */
  push(item: Item): Promise<Result> {
    if (this.#pending >= this.#options.queueMax) return Promise.reject(this.#options.overflow());
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#pending += 1;
    this.#queue.push({
      item,
      since: performance.now(),
      attempts: 0,
      retry: false,
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
      await this.#runBatch(this.#rejectStale(batch), "main");
    }
    this.#running = false;
  }

  async #runBatch(batch: Waiting<Item, Result>[], lane: "main" | "side"): Promise<void> {
    const first = batch[0];
    if (first === undefined) return;
    this.#options.observe(lane, batch.length, performance.now() - first.since);
    for (const waiting of batch) waiting.attempts += 1;
    try {
      const results = await this.#options.run(
        batch.map((waiting) => waiting.item),
        { wait: lane === "side", retry: batch.some((waiting) => waiting.retry) },
      );
      for (const [index, waiting] of batch.entries()) {
        const result = results[index];
        if (result === undefined)
          this.#reject(waiting, new Error("the batch left an item unanswered"));
        else if (result === "busy") this.#moveAside(waiting, 0);
        else this.#resolve(waiting, result);
      }
    } catch (error) {
      await this.#recover(batch, lane, error);
    }
  }

  async #recover(
    batch: Waiting<Item, Result>[],
    lane: "main" | "side",
    error: unknown,
  ): Promise<void> {
    const failure = this.#options.judge(error);
    if (failure === "poison" && batch.length > 1) {
      const middle = batch.length >> 1;
      await this.#runBatch(batch.slice(0, middle), lane);
      await this.#runBatch(batch.slice(middle), lane);
      return;
    }
    for (const waiting of batch) {
      if (failure === "unknown") waiting.retry = true;
      if (this.#options.again(failure, waiting.item, waiting.attempts)) {
        this.#moveAside(waiting, Math.min(pauseMaxMs, pauseMinMs * 2 ** (waiting.attempts - 1)));
      } else {
        this.#reject(waiting, error);
      }
    }
  }

  #rejectStale(batch: Waiting<Item, Result>[]): Waiting<Item, Result>[] {
    const oldest = performance.now() - this.#options.queuedMaxMs;
    if ((batch[0]?.since ?? oldest) >= oldest) return batch;
    for (const waiting of batch) {
      if (waiting.since < oldest) this.#reject(waiting, this.#options.overflow());
    }
    return batch.filter((waiting) => waiting.since >= oldest);
  }

  #moveAside(waiting: Waiting<Item, Result>, pauseMs: number): void {
    const account = this.#options.accountOf(waiting.item);
    const place = () => {
      const queue = this.#side.get(account);
      if (queue === undefined) this.#side.set(account, [waiting]);
      else queue.push(waiting);
      this.#startSides();
    };
    if (pauseMs === 0) place();
    else setTimeout(place, pauseMs);
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
    if (queue.length === 0) this.#side.delete(account);
    await this.#runBatch(batch, "side");
    this.#sideRunning.delete(account);
    // An account that still waits goes behind the others.
    const rest = this.#side.get(account);
    if (rest !== undefined) {
      this.#side.delete(account);
      this.#side.set(account, rest);
    }
    this.#startSides();
  }

  #resolve(waiting: Waiting<Item, Result>, result: Result): void {
    this.#ended();
    waiting.resolve(result);
  }

  #reject(waiting: Waiting<Item, Result>, error: unknown): void {
    this.#ended();
    waiting.reject(error);
  }

  #ended(): void {
    this.#pending -= 1;
    if (this.#pending > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
