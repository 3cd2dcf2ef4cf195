// One open call: its abort controller, its deadlines and the caller's signal. They end together,
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
  readonly #signal: AbortSignal;
  readonly #hangUp = () => this.cut();

  constructor(signal: AbortSignal, limits: UpstreamLimits) {
    this.#signal = signal;
    this.#deadlines = new Deadlines(this.#controller, limits);
    if (signal.aborted) this.#hangUp();
    else signal.addEventListener("abort", this.#hangUp, { once: true });
  }

  /** For `fetch`: aborted by the caller, a deadline or `cut`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** One read of the body, under the deadlines. */
  async read(reader: BodyReader): Promise<BodyRead> {
    this.#deadlines.startWaiting();
    const result = await reader.read();
    this.#deadlines.stopWaiting();
    return result;
  }

  /** What a failed fetch or read means. */
  explain(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown;
    if (this.#deadlines.fault) return this.#deadlines.fault;
    if (this.#signal.aborted) {
      return new Fault("client_closed_request", "The client closed the request.");
    }
    const message = "The upstream provider could not be reached or broke the connection.";
    return new Fault("bad_gateway", message, { cause: thrown });
  }

  /** Ends timers and listeners, and leaves the connection alone: for answers read to their end. */
  close(): void {
    this.#deadlines.stop();
    this.#signal.removeEventListener("abort", this.#hangUp);
  }

  /** Ends everything, the connection too. Harmless after the end. */
  cut(): void {
    this.close();
    this.#controller.abort();
  }
}
