// Which work may use a few places next: payers take turns, so that a flood from one does not keep the
// others waiting, and one payer may be limited to fewer places than there are.
import { Fault, withDeadline } from "@turnpike/base";

export type Bounds = {
  /** The number of places that this payer may have at the same time. */
  readonly most: number;
  /** Work that gets no place in this time is refused; undefined if it must be done. */
  readonly waitMaxMs: number | undefined;
  /** The public text of that refusal. */
  readonly refusal: string;
};

export type FairQueue = {
  /** Runs `work` when a place is free for its payer. Rejects with `overloaded` if it waits too long. */
  readonly run: <Result>(
    payer: string,
    bounds: Bounds,
    work: () => Promise<Result>,
  ) => Promise<Result>;
};

/** Of one payer; work beyond that is refused immediately. */
const waitingMax = 1_000;

/** The running and waiting work of one payer, in order of arrival. */
type Queue = { running: number; readonly most: number; readonly waiting: Set<() => void> };

/** `places` is how much work of all payers runs at a time. */
export function createFairQueue(places: number): FairQueue {
  let running = 0;
  /** The payer whose turn is next comes first. */
  const queues = new Map<string, Queue>();

  function find(payer: string, { most }: Bounds): Queue {
    const queue = queues.get(payer) ?? { running: 0, most, waiting: new Set() };
    queues.set(payer, queue);
    return queue;
  }

  function moveBehind(payer: string, queue: Queue): void {
    queues.delete(payer);
    queues.set(payer, queue);
  }

  /** Passes a place on to the payer whose turn it is, or frees it. */
  function passOn(): void {
    for (const [payer, queue] of queues) {
      const [start] = queue.waiting;
      if (start === undefined || queue.running >= queue.most) continue;
      queue.waiting.delete(start);
      queue.running += 1;
      moveBehind(payer, queue);
      start();
      return;
    }
    running -= 1;
  }

  async function enter(queue: Queue, { waitMaxMs, refusal }: Bounds): Promise<void> {
    if (running < places && queue.running < queue.most) {
      running += 1;
      queue.running += 1;
      return;
    }
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    if (waitMaxMs !== undefined && queue.waiting.size >= waitingMax) throw tooLate(refusal);
    queue.waiting.add(resolve);
    if (waitMaxMs === undefined) return turn;
    await withDeadline(turn, waitMaxMs, () => {
      queue.waiting.delete(resolve);
      throw tooLate(refusal);
    });
  }

  function forgetIdle(payer: string, queue: Queue): void {
    // It may have been removed and added again while its last refusal was on its way.
    if (queues.get(payer) !== queue) return;
    if (queue.running === 0 && queue.waiting.size === 0) queues.delete(payer);
  }

  return {
    async run(payer, bounds, work) {
      const queue = find(payer, bounds);
      try {
        await enter(queue, bounds);
        try {
          return await work();
        } finally {
          queue.running -= 1;
          moveBehind(payer, queue);
          passOn();
        }
      } finally {
        forgetIdle(payer, queue);
      }
    },
  };
}

function tooLate(refusal: string): Fault {
  return new Fault("overloaded", refusal, { retryAfterMs: 2_000 });
}
