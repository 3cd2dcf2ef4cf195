// Decides when an upstream call takes too long: four limits, the patience of its caller, and one reason for the
// abort. Only time spent waiting for the upstream counts as its silence, never a slow reader's.

import { Fault, unwatchDeadline, type Watched, watchDeadline } from "@turnpike/base";
import type { UpstreamLimits } from "../upstream-limits.ts";
import { canConnect } from "./can-connect.ts";

/** When an attempt whose answer has not begun is given up before its limits end it. */
export type Patience = {
  /** From the call to the first byte of the answer's body; infinite if only the limits end it. */
  readonly giveUpMs: number;
  /** Asked from then on, at every tick, until the answer begins: true ends the attempt. */
  mayGiveUp(): boolean;
};

const unlimited: Patience = { giveUpMs: Number.POSITIVE_INFINITY, mayGiveUp: () => false };

function timeout(what: string, ms: number): Fault {
  return new Fault("upstream_timeout", `The upstream provider ${what} within ${ms / 1000} s.`);
}

/** Aborts `controller` with a Fault when a limit has passed. `stop` must be called at the end. */
export class Deadlines implements Watched {
  readonly #controller: AbortController;
  readonly #limits: UpstreamLimits;
  readonly #patience: Patience;
  readonly #startedAtMs = performance.now();
  /** 0 while nothing is read. */
  #waitingSinceMs = 0;
  #begun = false;
  /** The head of the answer has arrived. */
  #hasAnswered = false;
  #isChecked = false;
  readonly #baseUrl: string;
  #fault: Fault | undefined;
  #stopped = false;
  /** A wait that begins later cannot be too long before then. */
  dueAtMs: number;

  /** `baseUrl` is probed when half of the time to connect has passed without an answer. */
  constructor(
    controller: AbortController,
    limits: UpstreamLimits,
    baseUrl: string,
    patience = unlimited,
  ) {
    this.#baseUrl = baseUrl;
    this.#controller = controller;
    this.#limits = limits;
    this.#patience = patience;
    const firstByteMs = Math.min(limits.firstByteMs, patience.giveUpMs);
    this.dueAtMs =
      this.#startedAtMs +
      Math.min(limits.totalMs, firstByteMs, limits.interChunkMs, limits.connectMs / 2);
    watchDeadline(this);
  }

  /** Why the call was aborted, if a deadline did it. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** The head of the answer has arrived. */
  answered(): void {
    this.#hasAnswered = true;
  }

  /** A read of the body starts. */
  startWaiting(): void {
    this.#waitingSinceMs = performance.now();
  }

  /** A read has ended; after the first one only the silence between reads is bounded. */
  stopWaiting(): void {
    this.#waitingSinceMs = 0;
    this.#begun = true;
  }

  /** The request is sent again: its answer has not begun. */
  askAgain(): void {
    this.#begun = false;
    this.dueAtMs = performance.now();
  }

  stop(): void {
    this.#stopped = true;
    unwatchDeadline(this);
  }

  /** Called by the shared timer. */
  checkDeadline(nowMs: number): void {
    const { totalMs, firstByteMs, interChunkMs, connectMs } = this.#limits;
    const isDoubtful = !this.#hasAnswered && !this.#isChecked;
    if (isDoubtful && nowMs >= this.#startedAtMs + connectMs / 2) void this.#checkConnection();
    const totalAtMs = this.#startedAtMs + totalMs;
    const silenceAtMs = this.#silenceAtMs();
    const giveUpAtMs = this.#giveUpAtMs();
    this.dueAtMs = Math.min(totalAtMs, silenceAtMs, giveUpAtMs, nowMs + interChunkMs);
    if (nowMs < Math.min(totalAtMs, silenceAtMs)) {
      if (nowMs >= giveUpAtMs && this.#patience.mayGiveUp()) {
        this.#expire(timeout("did not begin its answer", this.#patience.giveUpMs));
      }
      return;
    }
    // Two limits may have passed at a tick: the one that passed first is the reason.
    if (totalAtMs <= silenceAtMs) this.#expire(timeout("did not finish its answer", totalMs));
    else if (this.#begun) this.#expire(timeout("sent nothing more", interChunkMs));
    else this.#expire(timeout("did not begin its answer", firstByteMs));
  }

  async #checkConnection(): Promise<void> {
    this.#isChecked = true;
    const { connectMs } = this.#limits;
    if (await canConnect(this.#baseUrl, connectMs / 2)) return;
    if (this.#hasAnswered || this.#stopped) return;
    const cause = Object.assign(new Error("no connection"), { code: "ETIMEDOUT" });
    const wording = `The upstream provider could not be reached within ${connectMs / 1000} s.`;
    this.#expire(new Fault("bad_gateway", wording, { cause }));
  }

  #giveUpAtMs(): number {
    return this.#begun ? Number.POSITIVE_INFINITY : this.#startedAtMs + this.#patience.giveUpMs;
  }

  #silenceAtMs(): number {
    if (!this.#begun) return this.#startedAtMs + this.#limits.firstByteMs;
    const isWaiting = this.#waitingSinceMs !== 0;
    return isWaiting ? this.#waitingSinceMs + this.#limits.interChunkMs : Number.POSITIVE_INFINITY;
  }

  #expire(fault: Fault): void {
    this.#fault = fault;
    this.stop();
    this.#controller.abort(fault);
  }
}
