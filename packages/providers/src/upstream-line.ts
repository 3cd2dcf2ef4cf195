// One open call: its abort controller, its deadlines and its callers' signals. They end together,
// and whatever breaks the call is explained here, once, as a Fault.

import { Fault } from "@turnpike/base";
import { Deadlines } from "./deadlines.ts";
import type { UpstreamLimits } from "./provider.ts";

type BodyRead =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: Uint8Array | undefined };

/** As much of a body's reader as is used. */
export type BodyReader = { read(): Promise<BodyRead>; cancel(): Promise<void> };

export class UpstreamLine {
  readonly #controller = new AbortController();
  readonly #deadlines: Deadlines;
  readonly #signals: readonly AbortSignal[];
  readonly #hangUp = () => this.cut();

  constructor(signals: readonly AbortSignal[], limits: UpstreamLimits) {
    this.#signals = signals;
    this.#deadlines = new Deadlines(this.#controller, limits);
    for (const signal of signals) signal.addEventListener("abort", this.#hangUp, { once: true });
    if (this.#aborted) this.#hangUp();
  }

  /** For `fetch`: aborted by the caller, a deadline or `cut`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Before a read of the body: from now on the upstream is waited for. */
  startWaiting(): void {
    this.#deadlines.startWaiting();
  }

  /** After that read. */
  stopWaiting(): void {
    this.#deadlines.stopWaiting();
  }

  /** What a failed fetch or read means. */
  explain(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown;
    if (this.#deadlines.fault) return this.#deadlines.fault;
    if (this.#aborted) {
      return new Fault("client_closed_request", "The client closed the request.");
    }
    const message = "The upstream provider could not be reached or broke the connection.";
    return new Fault("bad_gateway", message, { cause: thrown });
  }

  /** Ends timers and listeners, and leaves the connection alone: for answers read to their end. */
  close(): void {
    this.#deadlines.stop();
    for (const signal of this.#signals) signal.removeEventListener("abort", this.#hangUp);
  }

  /** Ends everything, the connection too. Harmless after the end. */
  cut(): void {
    this.close();
    this.#controller.abort();
  }

  get #aborted(): boolean {
    return this.#signals.some((signal) => signal.aborted);
  }
}
