// One open call: its abort controller, its deadlines, the signals that end it and its client, who may
// disconnect without ending it. Whatever breaks the call is explained here, once, as a Fault.

import {
  type AbortListener,
  clientClosed,
  Fault,
  offSharedAbort,
  onSharedAbort,
} from "@turnpike/base";
import type { UpstreamClient } from "../provider.ts";
import type { UpstreamLimits } from "../upstream-limits.ts";
import { Deadlines, type Patience } from "./deadlines.ts";

export type BodyRead =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: Uint8Array | undefined };

/** The part of a body's reader that is used. */
export type BodyReader = { read(): Promise<BodyRead>; cancel(): Promise<void> };

export type ConnectionOptions = {
  /** Its abort ends the call immediately. */
  readonly endSignal: AbortSignal;
  readonly client: UpstreamClient;
  readonly limits: UpstreamLimits;
  /** Without it only the limits end the call. */
  readonly patience?: Patience | undefined;
};

const once = { once: true };

export class UpstreamConnection implements AbortListener {
  readonly #controller = new AbortController();
  readonly #deadlines: Deadlines;
  readonly #endSignal: AbortSignal;
  readonly #client: UpstreamClient;
  #abandoned = false;
  #unread = false;

  constructor({ endSignal, client, limits, patience }: ConnectionOptions, baseUrl: string) {
    this.#endSignal = endSignal;
    this.#client = client;
    this.#deadlines = new Deadlines(this.#controller, limits, baseUrl, patience);
    client.signal.addEventListener("abort", this, once);
    onSharedAbort(endSignal, this);
    if (client.signal.aborted && !endSignal.aborted) this.handleEvent();
  }

  /** The client disconnected: this is the listener of its signal. */
  handleEvent(): void {
    if (this.#client.continuesWithoutClient()) this.#unread = true;
    else this.#abandon();
  }

  /** The client disconnected, and the call continues only for its usage. */
  get unread(): boolean {
    return this.#unread;
  }

  /** For `fetch`: aborted by the caller, a deadline or `abort`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for `promise` until the call ends. The promise itself continues: other calls may wait for it. */
  until<Value>(promise: Promise<Value>): Promise<Value> {
    const { signal } = this.#controller;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(signal.reason);
    signal.addEventListener("abort", onEnd, { once: true });
    if (signal.aborted) onEnd();
    return Promise.race([promise, ended]).finally(() => signal.removeEventListener("abort", onEnd));
  }

  /** The head of the answer has arrived. */
  answered(): void {
    this.#deadlines.answered();
  }

  /** What was refused is sent again in another form. */
  askAgain(): void {
    this.#deadlines.askAgain();
  }

  /** Before a stream is read. Throws if the call continued without its client only to learn whether it is accepted. */
  streamBegins(): void {
    if (!this.#unread || this.#client.continuesWithoutClient()) return;
    this.#abandon();
    throw clientClosed();
  }

  /** Before a read of the body: from now on the call waits for the upstream. */
  startWaiting(): void {
    this.#deadlines.startWaiting();
  }

  /** After that read. */
  stopWaiting(): void {
    this.#deadlines.stopWaiting();
  }

  /** The Fault of a failed fetch or read. */
  explain(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown;
    if (this.#deadlines.fault) return this.#deadlines.fault;
    if (this.#abandoned) return clientClosed();
    const message = "The upstream provider could not be reached or broke the connection.";
    return new Fault("bad_gateway", message, { cause: thrown });
  }

  /** Ends timers and listeners but keeps the connection: for answers read to their end. */
  close(): void {
    this.#deadlines.stop();
    offSharedAbort(this.#endSignal, this);
    this.#client.signal.removeEventListener("abort", this);
  }

  /** Ends everything, including the connection. Harmless after the end. */
  abort(): void {
    this.close();
    this.#controller.abort();
  }

  /** The process must end its answers. */
  handleAbort(): void {
    this.#abandon();
  }

  #abandon(): void {
    this.#abandoned = true;
    this.abort();
  }
}
