// In which order texts are counted: all counts of the process share one slice of each turn of the event loop,
// and within it accounts take turns, so that neither other calls nor other accounts wait for one caller's prompts.
import { setImmediate } from "node:timers/promises";

/** How long all counts together may keep the event loop to themselves. */
const turnMs = 8;

/** Does the next small part of a count; false once there is nothing left to do. */
export type CountStep = () => boolean;

type Count = {
  readonly step: CountStep;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
};

export type CountQueueOptions = {
  /** Milliseconds. */
  readonly now?: () => number;
  /** Resolves when everything else that is due has run. */
  readonly nextTurn?: () => Promise<unknown>;
};

export class CountQueue {
  readonly #now: () => number;
  readonly #nextTurn: () => Promise<unknown>;
  /** The counts of each account, oldest first; whose turn comes next is first. */
  readonly #waiting = new Map<string, Count[]>();
  #isRunning = false;

  constructor({ now = () => performance.now(), nextTurn = setImmediate }: CountQueueOptions = {}) {
    this.#now = now;
    this.#nextTurn = nextTurn;
  }

  /** Resolves when `step` has nothing left to do, and rejects with what it throws. */
  run(account: string, step: CountStep): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const count = { step, resolve, reject };
    const waiting = this.#waiting.get(account);
    if (waiting === undefined) this.#waiting.set(account, [count]);
    else waiting.push(count);
    if (!this.#isRunning) void this.#runAll();
    return promise;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    do {
      this.#takeSlice();
      // Also after the last count: what is counted next in this turn would be a second slice.
      await this.#nextTurn();
    } while (this.#waiting.size > 0);
    this.#isRunning = false;
  }

  #takeSlice(): void {
    const endMs = this.#now() + turnMs;
    // What is set again while the map is read comes last.
    for (const [account, counts] of this.#waiting) {
      this.#waiting.delete(account);
      advance(counts);
      if (counts.length > 0) this.#waiting.set(account, counts);
      if (this.#now() >= endMs) return;
    }
  }
}

/** One step of the oldest count, which leaves the list when it is done. */
function advance(counts: Count[]): void {
  const [count] = counts;
  if (count === undefined) return;
  try {
    if (count.step()) return;
    count.resolve();
  } catch (thrown) {
    count.reject(thrown);
  }
  counts.shift();
}
