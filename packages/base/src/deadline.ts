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

/** Settles as `task` does, or as `onLate` decides (returning or throwing) once `limitMs` have passed. */
export function withDeadline<Result>(
  task: Promise<Result>,
  limitMs: number,
  onLate: () => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const item: Watched = {
      dueAtMs: performance.now() + limitMs,
      checkDeadline() {
        unwatchDeadline(item);
        try {
          resolve(onLate());
        } catch (error) {
          reject(error);
        }
      },
    };
    watchDeadline(item);
    task.then(
      (result) => {
        unwatchDeadline(item);
        resolve(result);
      },
      (error: unknown) => {
        unwatchDeadline(item);
        reject(error);
      },
    );
  });
}
