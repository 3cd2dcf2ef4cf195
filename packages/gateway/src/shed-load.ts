// Decides whether this process can take one more call, by how long calls wait in it and by its memory,
// not by how many calls run. It follows CoDel (RFC 8289): a burst may wait, a standing queue may not.
import { totalmem } from "node:os";
import { Fault } from "@turnpike/base";
import type { Metrics, ShedReason } from "@turnpike/telemetry";

/** Where a call waits for the ledger. */
export type LedgerWait = "hold" | "settle";

export const loadLimits = {
  /** A wait for a hold or a settlement that is shorter than this is no queue. */
  targetMs: 500,
  /** The same for the event loop: whatever waits there delays every answer and every refusal. */
  eventLoopTargetMs: 50,
  /** How long a queue may take longer before new calls are refused: long enough for a burst. */
  burstMs: 3_000,
  /** How many calls a late event loop takes on before new ones are refused: a burst, however slow. */
  burstCalls: 2_500,
  /** The same within `memoryMs` after calls were refused: then it is no burst. */
  repeatMs: 100,
  repeatCalls: 0,
  memoryMs: 10_000,
  /** Without a sample for so long, a queue counts as empty. */
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

/** The event loop: how late it is, and how many calls it has taken on since it was in time. */
class Loop {
  #lateMs = 0;
  #nextTurnMs = Number.POSITIVE_INFINITY;
  #callsWhileLate = 0;

  record(lateMs: number, nextTurnMs: number): void {
    this.#lateMs = lateMs;
    this.#nextTurnMs = nextTurnMs;
    if (lateMs < loadLimits.eventLoopTargetMs) this.#callsWhileLate = 0;
  }

  /** A turn that takes long shows before it ends. */
  isLate(nowMs: number): boolean {
    return Math.max(this.#lateMs, nowMs - this.#nextTurnMs) >= loadLimits.eventLoopTargetMs;
  }

  add(nowMs: number): void {
    if (this.isLate(nowMs)) this.#callsWhileLate += 1;
  }

  stands(toleratedCalls: number, nowMs: number): boolean {
    return this.#callsWhileLate >= toleratedCalls && this.isLate(nowMs);
  }
}

/** Record what queues take; ask before each call. Knows nothing of who is in the queues. */
export class LoadShedder {
  readonly #hold = new Queue();
  readonly #settle = new Queue();
  readonly #loop = new Loop();
  #memoryShare = 0;
  #shedAtMs = Number.NEGATIVE_INFINITY;

  /** How long something waited that has just left the queue. */
  record(wait: LedgerWait, waitMs: number, nowMs = performance.now()): void {
    if (wait === "hold") this.#hold.record(waitMs, nowMs);
    else this.#settle.record(waitMs, nowMs);
  }

  /** How late the event loop came round, and when it should come round again. */
  recordTurn(lateMs: number, nextTurnMs: number): void {
    this.#loop.record(lateMs, nextTurnMs);
  }

  /** Memory in use, as a share of what the process may use. */
  recordMemory(share: number): void {
    this.#memoryShare = share;
  }

  /** Why one more call would have to be refused now; undefined where it would be admitted. */
  reasonToShed(nowMs = performance.now()): ShedReason | undefined {
    const queue = this.#standingQueue(nowMs);
    if (queue !== undefined) this.#shedAtMs = nowMs;
    return queue ?? (this.#memoryShare > loadLimits.memoryShareMax ? "memory" : undefined);
  }

  /** Takes one more call on: it counts towards the burst that a late event loop may have. */
  add(nowMs = performance.now()): void {
    this.#loop.add(nowMs);
  }

  #standingQueue(nowMs: number): ShedReason | undefined {
    const isRepeated = nowMs - this.#shedAtMs < loadLimits.memoryMs;
    const toleratedMs = isRepeated ? loadLimits.repeatMs : loadLimits.burstMs;
    const toleratedCalls = isRepeated ? loadLimits.repeatCalls : loadLimits.burstCalls;
    if (this.#loop.stands(toleratedCalls, nowMs)) return "eventLoop";
    if (this.#hold.stands(toleratedMs, nowMs)) return "hold";
    return this.#settle.stands(toleratedMs, nowMs) ? "settle" : undefined;
  }
}

/**
 * Counts one more call, or throws `overloaded`. The listener asks before routing; calls that come by
 * other routes meet the question here.
 */
export function takeOnCall({ load, metrics }: Takes): void {
  const reason = load.reasonToShed();
  if (reason !== undefined) {
    metrics.callShed(reason);
    throw overloaded();
  }
  load.add();
}

type Takes = {
  readonly load: Pick<LoadShedder, "reasonToShed" | "add">;
  readonly metrics: Pick<Metrics, "callShed">;
};

export function overloaded(): Fault {
  return new Fault("overloaded", "The service is briefly overloaded. Please try again in 2s.", {
    retryAfterMs: 2_000,
  });
}

const turnEveryMs = 20;
/** To ask the system for the memory takes nearly a millisecond, and it grows slowly. */
const turnsPerMemorySample = 25;

/** Records how late timers fire and how much memory is in use; the returned function stops it. */
export function watchLoad(load: LoadShedder): () => void {
  const constrained = process.constrainedMemory();
  const available = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  let dueMs = performance.now() + turnEveryMs;
  let turns = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const lateMs = now - dueMs;
    dueMs = now + turnEveryMs;
    load.recordTurn(lateMs, dueMs);
    if (turns % turnsPerMemorySample === 0) {
      load.recordMemory(process.memoryUsage.rss() / available);
    }
    turns += 1;
  }, turnEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
