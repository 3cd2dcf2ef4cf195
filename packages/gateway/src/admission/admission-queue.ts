// Starts calls at the rate the event loop can take, in order of arrival, so that a burst waits in memory
// and not for the processor. While the loop is on time and nothing waits, a call starts immediately.
import type { ShedReason } from "@turnpike/telemetry";

export const admissionLimits = {
  /** A turn of the event loop that takes longer lowers the rate at which calls start. */
  turnTargetMs: 20,
  /** What accepting, parsing and refusing a call takes: it must not lower the rate of the others. */
  refusalMs: 0.05,
  /** Calls started per millisecond: at first, at least and at most. */
  firstRate: 0.8,
  leastRate: 0.2,
  mostRate: 10,
  /** Added to the rate per millisecond of a short turn; the share that is kept after a long one. */
  rateStep: 0.02,
  rateKept: 0.8,
  /** A queue whose oldest call waits longer than this is standing. */
  waitTargetMs: 50,
  /** How many calls may join a standing queue before new ones are refused: one burst. */
  burstCalls: 2_500,
  /** In a flood no call waits longer than this: it is refused instead. */
  floodWaitMaxMs: 1_000,
} as const;

/** Resolves to undefined when the call may start, or to the reason to refuse it. */
export type Turn = Promise<ShedReason | undefined>;

type Waiting = {
  readonly enteredAtMs: number;
  readonly resolve: (reason: ShedReason | undefined) => void;
};

export type AdmissionQueueOptions = {
  /** Runs `pump` in the next turn of the event loop; injected by tests. */
  readonly inNextTurn?: (pump: () => void) => void;
  readonly now?: () => number;
};

export class AdmissionQueue {
  readonly #inNextTurn: (pump: () => void) => void;
  readonly #now: () => number;
  readonly #pump = () => this.#releaseSome();
  #waiting: Waiting[] = [];
  #head = 0;
  #lateMs = 0;
  #nextTurnMs = Number.POSITIVE_INFINITY;
  #ratePerMs: number = admissionLimits.firstRate;
  #refusals = 0;
  #pumpedAtMs = 0;
  /** Since the queue was last empty; the quotient of both is the rate at which it drains. */
  #busySinceMs = 0;
  #released = 0;
  /** Calls that joined since one was released within the target. */
  #joinedStanding = 0;
  #inFlood = false;

  constructor({ inNextTurn = setImmediate, now = () => performance.now() }: AdmissionQueueOptions) {
    this.#inNextTurn = inNextTurn;
    this.#now = now;
  }

  get length(): number {
    return this.#waiting.length - this.#head;
  }

  /** How late the event loop's timer fired, and when it is due again. */
  recordTurn(lateMs: number, nextTurnMs: number): void {
    this.#lateMs = lateMs;
    this.#nextTurnMs = nextTurnMs;
  }

  countRefusal(): void {
    this.#refusals += 1;
  }

  /** Undefined if the call may start now: the usual path creates no promise. */
  enter(nowMs: number): Turn | undefined {
    if (this.length === 0) {
      if (!this.#isLate(nowMs)) return undefined;
      this.#busySinceMs = nowMs;
      this.#released = 0;
      this.#ratePerMs = Math.min(this.#ratePerMs, admissionLimits.firstRate);
      this.#joinedStanding = 0;
      this.#pumpedAtMs = nowMs;
      this.#refusals = 0;
      this.#inNextTurn(this.#pump);
    }
    this.#joinedStanding += 1;
    const { promise, resolve } = Promise.withResolvers<ShedReason | undefined>();
    this.#waiting.push({ enteredAtMs: nowMs, resolve });
    return promise;
  }

  /** Whether one more call would join a queue that does not drain. */
  isFull(wasRefusing: boolean, nowMs: number): boolean {
    const { burstCalls, waitTargetMs } = admissionLimits;
    if (this.length >= burstCalls) return true;
    const oldest = this.#waiting[this.#head];
    if (oldest === undefined || nowMs - oldest.enteredAtMs < waitTargetMs) return false;
    return wasRefusing || this.#joinedStanding >= burstCalls;
  }

  /**
   * A flood began or ended. At its beginning the calls that could not start in time are refused
   * immediately, the latest first: they have waited least.
   */
  setFlood(inFlood: boolean, nowMs: number): void {
    if (inFlood && !this.#inFlood) this.#refuseHopeless(nowMs);
    this.#inFlood = inFlood;
  }

  /** A turn that takes long shows before it ends. */
  #isLate(nowMs: number): boolean {
    return Math.max(this.#lateMs, nowMs - this.#nextTurnMs) >= admissionLimits.turnTargetMs;
  }

  #refuseHopeless(nowMs: number): void {
    const { floodWaitMaxMs, leastRate } = admissionLimits;
    const drainPerMs = this.#released / Math.max(1, nowMs - this.#busySinceMs);
    const kept = Math.ceil(Math.max(leastRate, drainPerMs) * floodWaitMaxMs);
    for (const { resolve } of this.#waiting.splice(this.#head + kept)) resolve("eventLoop");
  }

  #releaseSome(): void {
    const nowMs = this.#now();
    const turnMs = nowMs - this.#pumpedAtMs;
    this.#pumpedAtMs = nowMs;
    this.#adaptRate(turnMs);
    const { floodWaitMaxMs, waitTargetMs, turnTargetMs } = admissionLimits;
    // Not more after a long turn: the next one would be longer still.
    const startsMs = Math.min(turnMs, turnTargetMs);
    for (let left = Math.ceil(this.#ratePerMs * startsMs); left > 0; ) {
      const next = this.#waiting[this.#head];
      if (next === undefined) break;
      this.#head += 1;
      const waitedMs = nowMs - next.enteredAtMs;
      if (this.#inFlood && waitedMs > floodWaitMaxMs) {
        next.resolve("eventLoop");
        continue;
      }
      if (waitedMs < waitTargetMs) this.#joinedStanding = 0;
      this.#released += 1;
      left -= 1;
      next.resolve(undefined);
    }
    this.#forgetReleased();
    if (this.length > 0) this.#inNextTurn(this.#pump);
  }

  /** Additive increase, multiplicative decrease: what is started costs time in later turns too. */
  #adaptRate(turnMs: number): void {
    const { turnTargetMs, refusalMs, leastRate, mostRate, rateStep, rateKept } = admissionLimits;
    const isShort = turnMs - this.#refusals * refusalMs < turnTargetMs;
    this.#refusals = 0;
    this.#ratePerMs = isShort
      ? Math.min(mostRate, this.#ratePerMs + rateStep * turnMs)
      : Math.max(leastRate, this.#ratePerMs * rateKept);
  }

  #forgetReleased(): void {
    if (this.length > 0 && this.#head < admissionLimits.burstCalls) return;
    this.#waiting = this.#waiting.slice(this.#head);
    this.#head = 0;
  }
}
