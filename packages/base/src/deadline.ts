// Deadlines of calls, all on one timer, because a timer per call would cost more than everything else
// about waiting. They expire up to `deadlineTickMs` late, never early; the limits are seconds and minutes.

/** How often deadlines are checked. */
export const deadlineTickMs = 100;

/** Something with a deadline. `performance.now()` is the clock. */
export type Watched = {
  /** Not checked before then; may be earlier than the deadline, never later. */
  readonly dueAtMs: number;
  readonly checkDeadline: (nowMs: number) => void;
};

const watched = new Set<Watched>();
let ticker: ReturnType<typeof setInterval> | undefined;

/** Calls `checkDeadline` at every tick from `dueAtMs` on until `unwatchDeadline`. */
export function watchDeadline(item: Watched): void {
  watched.add(item);
  ticker ??= setInterval(tick, deadlineTickMs);
}

export function unwatchDeadline(item: Watched): void {
  watched.delete(item);
}

function tick(): void {
  const nowMs = performance.now();
  for (const item of watched) if (nowMs >= item.dueAtMs) checkItem(item, nowMs);
  // Stopped here, not when the last item is removed: calls come and go much faster than ticks.
  if (watched.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

/** Reports an error as uncaught, but only after the other items have been checked. */
function checkItem(item: Watched, nowMs: number): void {
  try {
    item.checkDeadline(nowMs);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * Settles as `task` does, or as `onLate` decides (returning or throwing) once `limitMs` have passed, or as `onError` does
 * if the task fails.
 */
export function withDeadline<Result>(
  task: Promise<Result>,
  limitMs: number,
  onLate: (limitMs: number) => Result,
  onError: (error: unknown) => Result = throwIt,
): Promise<Result> {
  const race = new Race(limitMs, onLate, onError);
  watchDeadline(race);
  task.then(
    (result) => race.succeed(result),
    (error: unknown) => race.fail(error),
  );
  return race.settled;
}

/** A task that may be late. */
class Race<Result> implements Watched {
  readonly dueAtMs: number;
  readonly #limitMs: number;
  readonly #onLate: (limitMs: number) => Result;
  readonly #onError: (error: unknown) => Result;
  readonly #end = Promise.withResolvers<Result>();

  constructor(
    limitMs: number,
    onLate: (limitMs: number) => Result,
    onError: (error: unknown) => Result,
  ) {
    this.dueAtMs = performance.now() + limitMs;
    this.#limitMs = limitMs;
    this.#onLate = onLate;
    this.#onError = onError;
  }

  get settled(): Promise<Result> {
    return this.#end.promise;
  }

  succeed(result: Result): void {
    unwatchDeadline(this);
    this.#end.resolve(result);
  }

  fail(error: unknown): void {
    unwatchDeadline(this);
    this.#settleBy(this.#onError, error);
  }

  checkDeadline(): void {
    unwatchDeadline(this);
    this.#settleBy(this.#onLate, this.#limitMs);
  }

  #settleBy<Reason>(decide: (reason: Reason) => Result, reason: Reason): void {
    try {
      this.#end.resolve(decide(reason));
    } catch (error) {
      this.#end.reject(error);
    }
  }
}

function throwIt(error: unknown): never {
  throw error;
}
