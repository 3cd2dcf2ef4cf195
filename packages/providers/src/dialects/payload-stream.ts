// What readers of streams of events share: bytes become payloads, events before a fault come out before it, and
// nothing is read after the end. Does no I/O.
import { Fault } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../provider.ts";

/** One answer's stream: feed it bytes, then look at `fault` and `done`. */
export abstract class PayloadStream implements StreamReader {
  readonly #splitter: SseSplitter;
  #fault: Fault | undefined;
  #done = false;
  #upstreamId: string | undefined;

  constructor({ maxEventBytes }: StreamOptions) {
    this.#splitter = new SseSplitter({ maxEventBytes });
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  get done(): boolean {
    return this.#done;
  }

  get finished(): boolean {
    return this.#done;
  }

  get upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      this.#readAll(this.#splitter.push(bytes), events);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  end(): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.#fault || this.#done) return events;
    try {
      this.#readAll(this.#splitter.end(), events);
      if (this.#done) return events;
      if (!this.finished) throw this.whyIncomplete();
      this.complete(events);
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  #readAll(payloads: readonly string[], events: StreamEvent[]): void {
    for (const payload of payloads) {
      this.read(payload, events);
      if (this.#done) break;
    }
  }

  /** Adds what a payload says to `events`. Throws the Fault that ends the answer. */
  protected abstract read(payload: string, events: StreamEvent[]): void;

  /** The answer has ended as it should. */
  protected complete(events: StreamEvent[]): void {
    this.#done = true;
    events.push({ kind: "done" });
  }

  /** The first id that the upstream names is that of the answer. */
  protected noteId(id: string | undefined): void {
    this.#upstreamId ??= id;
  }

  /** The Fault for a connection that ended before its answer. */
  protected whyIncomplete(): Fault {
    const broken = "The upstream provider ended its answer before it was complete.";
    return new Fault("bad_gateway", broken);
  }
}
