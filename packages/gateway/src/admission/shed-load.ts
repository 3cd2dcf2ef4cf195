// Decides whether this process can take one more call: whether it could be charged, how long calls wait in it and
// its memory, not by how many calls run. It follows CoDel (RFC 8289): a burst may wait, a standing queue may not.
// What waits for the event loop waits in `admission-queue.ts`.
import { totalmem } from "node:os";
import { clockWrong, databaseUnavailable, type Fault, overloaded } from "@turnpike/base";
import { type Log, type Metrics, type ShedReason, tick } from "@turnpike/telemetry";
import { AdmissionQueue, type AdmissionQueueOptions, type Turn } from "./admission-queue.ts";

/** Where a call waits for the ledger. */
export type LedgerWait = "hold" | "charge";

/** What keeps every charge from being written. */
export type Obstacle = "database" | "clock";

export const loadLimits = {
  /** A wait for a hold or a charge that is shorter than this does not count as a queue. */
  targetMs: 500,
  /** How long a queue may take longer before new calls are refused: long enough for a burst. */
  burstMs: 3_000,
  /** The same within `memoryMs` after calls were refused, when it cannot be a burst. */
  repeatMs: 100,
  memoryMs: 10_000,
  /** Without a sample for this long, a queue counts as empty. */
  staleMs: 1_500,
  /** Of the memory the process may use. */
  memoryShareMax: 0.8,
} as const;

/** One queue: the time since which each of its samples was above the target. */
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

/** Records how long queues take and decides before each call. Does not know who is in the queues. */
export class LoadShedder {
  readonly #hold = new Queue();
  readonly #charge = new Queue();
  readonly #admissions: AdmissionQueue;
  #memoryShare = 0;
  #findObstacle: () => Obstacle | undefined = () => undefined;
  #shedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AdmissionQueueOptions = {}) {
    this.#admissions = new AdmissionQueue(options);
  }

  /** How long something waited that has just left the queue. */
  readonly record = (wait: LedgerWait, waitMs: number, nowMs = performance.now()): void => {
    if (wait === "hold") this.#hold.record(waitMs, nowMs);
    else this.#charge.record(waitMs, nowMs);
  };

  /** How late the event loop's turn was, and when the next one is due. */
  recordTurn(lateMs: number, nextTurnMs: number): void {
    this.#admissions.recordTurn(lateMs, nextTurnMs);
  }

  /** Memory in use, as a share of what the process may use. */
  recordMemory(share: number): void {
    this.#memoryShare = share;
  }

  /** `find` is asked before each call. */
  watchObstacle(find: () => Obstacle | undefined): void {
    this.#findObstacle = find;
  }

  /** Why one more call would have to be refused now; undefined if it would be admitted. */
  reasonToShed(nowMs = performance.now()): ShedReason | undefined {
    const obstacle = this.#findObstacle();
    if (obstacle !== undefined) return obstacle;
    const wasRefusing = nowMs - this.#shedAtMs < loadLimits.memoryMs;
    const queue = this.#standingQueue(wasRefusing, nowMs);
    if (queue !== undefined) {
      this.#shedAtMs = nowMs;
      this.#admissions.countRefusal();
    }
    this.#admissions.setFlood(wasRefusing || queue !== undefined, nowMs);
    return queue ?? (this.#memoryShare > loadLimits.memoryShareMax ? "memory" : undefined);
  }

  /** Undefined if the call may start now; otherwise it waits for its turn of the event loop. */
  enter(nowMs = performance.now()): Turn | undefined {
    return this.#admissions.enter(nowMs);
  }

  #standingQueue(wasRefusing: boolean, nowMs: number): ShedReason | undefined {
    const toleratedMs = wasRefusing ? loadLimits.repeatMs : loadLimits.burstMs;
    if (this.#admissions.isFull(wasRefusing, nowMs)) return "eventLoop";
    if (this.#hold.stands(toleratedMs, nowMs)) return "hold";
    return this.#charge.stands(toleratedMs, nowMs) ? "charge" : undefined;
  }
}

/**
 * Admits one more call: undefined if it may start now, otherwise a promise of its start. Throws or
 * rejects with the Fault of `refusalFor`. The listener refuses before routing, when the request arrives; calls that
 * passed it are decided here.
 */
export function admitCall({ load, metrics }: Admits): Promise<void> | undefined {
  const reason = load.reasonToShed();
  if (reason !== undefined) {
    metrics.callShed(reason);
    throw refusalFor(reason);
  }
  return load.enter()?.then((refused) => {
    if (refused === undefined) return;
    metrics.callShed(refused);
    throw refusalFor(refused);
  });
}

/** What the caller of a refused call reads. */
export function refusalFor(reason: ShedReason): Fault {
  if (reason === "database") return databaseUnavailable();
  return reason === "clock" ? clockWrong() : overloaded(reason);
}

type Admits = {
  readonly load: Pick<LoadShedder, "reasonToShed" | "enter">;
  readonly metrics: Pick<Metrics, "callShed">;
};

const turnEveryMs = 20;
/** Reading the memory from the system takes nearly a millisecond, and it grows slowly. */
const turnsPerMemorySample = 25;

/**
 * The system's answer is read from a file: without a descriptor for it the process can open no connection
 * either, so it counts as full until it can.
 */
function readMemory(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Records how late timers fire and how much memory is in use; the returned function stops it. */
export function watchLoad(load: LoadShedder, log: Log): () => void {
  const constrained = process.constrainedMemory();
  const available = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  let dueMs = performance.now() + turnEveryMs;
  let turns = 0;
  const watch = () => {
    const now = performance.now();
    const lateMs = now - dueMs;
    dueMs = now + turnEveryMs;
    load.recordTurn(lateMs, dueMs);
    if (turns % turnsPerMemorySample === 0) {
      load.recordMemory(readMemory() / available);
    }
    turns += 1;
  };
  return tick(turnEveryMs, watch, { job: "watch load", log });
}
