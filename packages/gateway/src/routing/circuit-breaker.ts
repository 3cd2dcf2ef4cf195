// A circuit breaker on its caller's clock, and the calls of the last 30 seconds that decide whether it
// opens. It does not know whose calls these are: a route has one for everybody and one per failing account.

export type BreakerLimits = {
  /** It opens at this share of failures among the calls of the window. */
  readonly failureShare: number;
  readonly leastCalls: number;
  /** How long it stays open, doubled by each trial call that fails. */
  readonly openMs: number;
  readonly openMaxMs: number;
};

export const windowMs = 30_000;
const bucketCount = 6;
const bucketMs = windowMs / bucketCount;

export type CallCounts = { readonly calls: number; readonly failures: number };

/** Calls of the last 30 seconds by outcome, forgotten five seconds at a time. */
export class CallWindow {
  readonly #epochs = new Array<number>(bucketCount).fill(-1);
  readonly #calls = new Array<number>(bucketCount).fill(0);
  readonly #failures = new Array<number>(bucketCount).fill(0);

  count(failed: boolean, nowMs: number): void {
    const epoch = Math.floor(nowMs / bucketMs);
    const index = epoch % bucketCount;
    if (this.#epochs[index] !== epoch) {
      this.#epochs[index] = epoch;
      this.#calls[index] = 0;
      this.#failures[index] = 0;
    }
    this.#calls[index] = (this.#calls[index] ?? 0) + 1;
    if (failed) this.#failures[index] = (this.#failures[index] ?? 0) + 1;
  }

  sum(nowMs: number): CallCounts {
    const oldest = Math.floor(nowMs / bucketMs) - bucketCount + 1;
    let calls = 0;
    let failures = 0;
    for (let index = 0; index < bucketCount; index += 1) {
      if ((this.#epochs[index] ?? -1) < oldest) continue;
      calls += this.#calls[index] ?? 0;
      failures += this.#failures[index] ?? 0;
    }
    return { calls, failures };
  }

  /** Subtracts the calls of `part`, all of which were counted here too. */
  subtract(part: CallWindow): void {
    for (let index = 0; index < bucketCount; index += 1) {
      if (this.#epochs[index] !== part.#epochs[index]) continue;
      this.#calls[index] = (this.#calls[index] ?? 0) - (part.#calls[index] ?? 0);
      this.#failures[index] = (this.#failures[index] ?? 0) - (part.#failures[index] ?? 0);
    }
  }

  clear(): void {
    this.#epochs.fill(-1);
  }
}

/** Whether enough calls failed to open a breaker. */
export function areFailing({ calls, failures }: CallCounts, limits: BreakerLimits): boolean {
  return calls >= limits.leastCalls && failures >= calls * limits.failureShare;
}

export class CircuitBreaker {
  readonly #limits: BreakerLimits;
  /** `performance.now()` until which it is open; undefined while it is closed. */
  #openUntilMs: number | undefined;
  #nextOpenMs: number;
  /** Until then no second trial call is sent; a slow one does not extend this. */
  #tryingUntilMs = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
    this.#nextOpenMs = limits.openMs;
  }

  /** Also true when it is due for a trial call. */
  get isOpen(): boolean {
    return this.#openUntilMs !== undefined;
  }

  /** For how long it opens the next time. */
  get nextOpenMs(): number {
    return this.#nextOpenMs;
  }

  refuses(nowMs: number): boolean {
    if (this.#openUntilMs === undefined) return false;
    return nowMs < Math.max(this.#openUntilMs, this.#tryingUntilMs);
  }

  /** How long until it is due for a trial call. */
  waitMs(nowMs: number): number {
    return Math.max(0, (this.#openUntilMs ?? nowMs) - nowMs);
  }

  startTrial(nowMs: number): void {
    this.#tryingUntilMs = nowMs + this.#limits.openMs;
  }

  /** The trial call is over, even if it ended without a verdict. */
  endTrial(): void {
    this.#tryingUntilMs = 0;
  }

  /** Opens it for `nextOpenMs`, but at least `leastMs`; the time after that is twice as long. */
  open(nowMs: number, leastMs = 0): void {
    const openMs = Math.max(this.#nextOpenMs, leastMs);
    this.#openUntilMs = nowMs + openMs;
    this.#nextOpenMs = Math.min(openMs * 2, this.#limits.openMaxMs);
  }

  close(): void {
    this.#openUntilMs = undefined;
    this.#nextOpenMs = this.#limits.openMs;
    this.#tryingUntilMs = 0;
  }

  /** Opens for the time another process saved, but at most `openMaxMs`: that process's clock may have been wrong. */
  restore(openForMs: number, nextOpenMs: number, nowMs: number): void {
    const { openMaxMs } = this.#limits;
    this.#openUntilMs = nowMs + Math.min(openForMs, openMaxMs);
    this.#nextOpenMs = Math.min(nextOpenMs, openMaxMs);
  }
}
