// When does an upstream call take too long? Three bounds, one timer each at most, one reason for
// the abort. Only time spent waiting for the upstream counts as its silence, never a slow reader's.

import { Fault } from "@turnpike/base";
import type { UpstreamLimits } from "../provider.ts";

function timeout(what: string, ms: number): Fault {
  return new Fault("upstream_timeout", `The upstream provider ${what} within ${ms / 1000} s.`);
}

/** Aborts `controller` with a Fault when a limit is passed. `stop` must be called in the end. */
export class Deadlines {
  readonly #controller: AbortController;
  readonly #limits: UpstreamLimits;
  readonly #totalTimer: ReturnType<typeof setTimeout>;
  #silenceTimer: ReturnType<typeof setTimeout>;
  #waitingSince = 0;
  #begun = false;
  #fault: Fault | undefined;

  constructor(controller: AbortController, limits: UpstreamLimits) {
    this.#controller = controller;
    this.#limits = limits;
    this.#totalTimer = setTimeout(() => {
      this.#expire(timeout("did not finish its answer", limits.totalMs));
    }, limits.totalMs);
    this.#silenceTimer = setTimeout(() => {
      this.#expire(timeout("did not begin its answer", limits.firstByteMs));
    }, limits.firstByteMs);
  }

  /** Why the call was aborted, if a deadline did it. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** A read of the body starts. Cheap: no timer is touched per read. */
  startWaiting(): void {
    this.#waitingSince = performance.now();
  }

  /** A read has ended; after the first one only the silence between reads is bounded. */
  stopWaiting(): void {
    this.#waitingSince = 0;
    if (this.#begun) return;
    this.#begun = true;
    clearTimeout(this.#silenceTimer);
    this.#watchSilence(this.#limits.interChunkMs);
  }

  stop(): void {
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#silenceTimer);
  }

  #watchSilence(delayMs: number): void {
    this.#silenceTimer = setTimeout(() => {
      const { interChunkMs } = this.#limits;
      const waitedMs = this.#waitingSince === 0 ? 0 : performance.now() - this.#waitingSince;
      if (waitedMs < interChunkMs) this.#watchSilence(interChunkMs - waitedMs);
      else this.#expire(timeout("sent nothing more", interChunkMs));
    }, delayMs);
  }

  #expire(fault: Fault): void {
    this.#fault = fault;
    this.stop();
    this.#controller.abort(fault);
  }
}
