// What readers of streams of events share: bytes become payloads, events before a fault come out before it, and
// nothing is read after the end. Does no I/O.
import { Fault, type JsonObject } from "@turnpike/base";
import { SseSplitter } from "@turnpike/wire";
import type { StreamEvent, StreamOptions, StreamReader } from "../provider.ts";
import type { EventMeaning } from "../refusals/parse-error-body.ts";
import { endedEarly } from "../refusals/refuse.ts";

/** One answer's stream: feed it bytes, then look at `fault` and `done`. */
export abstract class PayloadStream implements StreamReader {
  readonly #splitter: SseSplitter;
  #fault: Fault | undefined;
  #done = false;
  #upstreamId: string | undefined;
  /** The last notice, of a stream that has had no event. */
  #notice: JsonObject | undefined;
  #hasEvents = false;

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
    for (let position = 0; position < payloads.length && !this.#done; position += 1) {
      this.read(payloads[position] ?? "", events, this.#splitter.isNamedError(position));
    }
    this.#hasEvents ||= events.length > 0;
  }

  /** Adds what a payload says to `events`. Throws the Fault that ends the answer. */
  protected abstract read(payload: string, events: StreamEvent[], isNamedError: boolean): void;

  /** The Fault for an event that is an error. */
  protected abstract refused(source: JsonObject): Fault;

  /** Whether an event belongs to the answer. Throws the Fault of an error. */
  protected isAnswer(source: JsonObject, meaning: EventMeaning): boolean {
    if (meaning === "error") throw this.refused(source);
    if (meaning === "notice") this.#notice = source;
    return meaning === "answer";
  }

  /** The answer has ended as it should. */
  protected complete(events: StreamEvent[]): void {
    this.#done = true;
    events.push({ kind: "done" });
  }

  /** The first id that the upstream names is that of the answer. */
  protected noteId(id: string | undefined): void {
    this.#upstreamId ??= id;
  }

  /** The Fault for a connection that ended before its answer: a notice alone is the reason. */
  protected whyIncomplete(): Fault {
    if (this.#notice !== undefined && !this.#hasEvents) return this.refused(this.#notice);
    return endedEarly();
  }
}
