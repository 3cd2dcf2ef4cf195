// Lets lanes write one after the other, in the order in which they asked. Two batches at once would
// find each other's accounts locked and be half as large, and every batch has the same fixed price.

export type Turns = {
  /** Runs `task` when it is its turn; the next one begins once it has ended, well or badly. */
  readonly take: <Result>(task: () => Promise<Result>) => Promise<Result>;
};

export function openTurns(): Turns {
  const waiting: (() => void)[] = [];
  let taken = false;

  async function take<Result>(task: () => Promise<Result>): Promise<Result> {
    if (taken) await new Promise<void>((resolve) => waiting.push(resolve));
    taken = true;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // Handed over, not given back: nobody who asks meanwhile goes before those who wait.
      if (next === undefined) taken = false;
      else next();
    }
  }

  return { take };
}
