// The beats that failed since the last success: they are repeated sooner than beats that succeed, and say whether
// the database is away. One failure may be that of a connection, two in a row are not.
import { classifyWriteFailure, type WriteFailure } from "../batches/classify-write-failure.ts";

/** At once, because a connection may be lost alone, then every second. */
const retryMs = { first: 50, later: 1_000 } as const;
const failuresMax = 2;

export class FailedBeats {
  readonly #everyMs: number;
  readonly #beat: () => void;
  #last: WriteFailure | undefined;
  #count = 0;
  #isSuspected = false;
  #retry: Timer | undefined;
  #isStopped = false;

  constructor(everyMs: number, beat: () => void) {
    this.#everyMs = everyMs;
    this.#beat = beat;
  }

  get last(): WriteFailure | undefined {
    return this.#last;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether no write is accepted, as far as is known without asking. */
  get isAway(): boolean {
    if (this.#last === undefined) return false;
    const { kind } = this.#last;
    if (kind === "slow" && this.#isSuspected) return true;
    return (kind !== "slow" && kind !== "unreachable") || this.#count >= failuresMax;
  }

  /** A statement failed elsewhere. */
  suspect(): void {
    this.#isSuspected = true;
  }

  add(error: unknown): WriteFailure {
    this.#last = classifyWriteFailure(error);
    this.#count += 1;
    clearTimeout(this.#retry);
    if (!this.#isStopped) {
      const pauseMs = this.#count === 1 ? retryMs.first : retryMs.later;
      this.#retry = setTimeout(this.#beat, Math.min(pauseMs, this.#everyMs));
      this.#retry.unref();
    }
    return this.#last;
  }

  clear(): void {
    this.#last = undefined;
    this.#count = 0;
    this.#isSuspected = false;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
  }
}
