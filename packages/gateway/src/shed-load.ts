// Whether this process can take one more call, judged by how long its queues take and by its memory,
// not by how many calls run. It follows CoDel (RFC 8289): a burst may wait, a standing queue may not.
import { totalmem } from "node:os";
import { Fault } from "@turnpike/base";

/** Where a call waits: for its hold, for its settlement, and for the process to get round to it. */
export const waits = ["hold", "settle", "eventLoop"] as const;
export type Wait = (typeof waits)[number];

export const loadLimits = {
  /** A queue that takes less than this is no queue. */
  targetMs: 500,
  /** How long a queue may take longer before new calls are refused: long enough for a burst. */
  burstMs: 3_000,
  /** The same within `memoryMs` after calls were refused: then it is no burst. */
  repeatMs: 100,
  memoryMs: 10_000,
  /** Without a sample for so long, a queue is taken for empty: nobody is in it. */
  staleMs: 1_500,
  /** Of the memory the process may use. */
  memoryShareMax: 0.8,
} as const;

/** One queue: since when each of its samples was above the target. */
class Queue {
  #aboveSinceMs: number | undefined;
  #sampledAtMs = 0;

  record(waitMs: number, nowMs: number): void {
    const isStale = nowMs - this.#sampledAtMs > loadLimits.staleMs;
    this.#sampledAtMs = nowMs;
    if (waitMs < loadLimits.targetMs) this.#aboveSinceMs = undefined;
    else if (this.#aboveSinceMs === undefined || isStale) this.#aboveSinceMs = nowMs;
  }

  stands(toleratedMs: number, nowMs: number): boolean {
    if (this.#aboveSinceMs === undefined) return false;
    if (nowMs - this.#sampledAtMs > loadLimits.staleMs) return false;
    return nowMs - this.#aboveSinceMs >= toleratedMs;
  }
}

/** Record what queues take; ask before each call. Knows nothing of who is in the queues. */
export class LoadShedder {
  readonly #queues: Readonly<Record<Wait, Queue>> = {
    hold: new Queue(),
    settle: new Queue(),
    eventLoop: new Queue(),
  };
  #memoryShare = 0;
  #shedAtMs = Number.NEGATIVE_INFINITY;

  /** How long something waited that has just left the queue. */
  record(wait: Wait, waitMs: number, nowMs = performance.now()): void {
    this.#queues[wait].record(waitMs, nowMs);
  }

  /** Memory in use, as a share of what the process may use. */
  recordMemory(share: number): void {
    this.#memoryShare = share;
  }

  /** Throws `overloaded` where one more call would wait too long. */
  admit(nowMs = performance.now()): void {
    const { burstMs, repeatMs, memoryMs, memoryShareMax } = loadLimits;
    const toleratedMs = nowMs - this.#shedAtMs < memoryMs ? repeatMs : burstMs;
    const stands = waits.some((wait) => this.#queues[wait].stands(toleratedMs, nowMs));
    if (stands) this.#shedAtMs = nowMs;
    if (stands || this.#memoryShare > memoryShareMax) throw overloaded();
  }
}

function overloaded(): Fault {
  return new Fault("overloaded", "The service is briefly overloaded. Please try again in 2s.", {
    retryAfterMs: 2_000,
  });
}

const sampleEveryMs = 50;

/** Records how late timers fire and how much memory is in use; the returned function stops it. */
export function watchLoad(load: LoadShedder): () => void {
  const constrained = process.constrainedMemory();
  const available = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    load.record("eventLoop", now - last - sampleEveryMs, now);
    load.recordMemory(process.memoryUsage.rss() / available);
    last = now;
  }, sampleEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
