// Reads a streamed answer, one batch of events per network read. It begins with the first token, so
// that every earlier refusal still has its HTTP status, and ends with `done` or a Fault.

import { EventStream } from "./event-stream.ts";
import type { StreamAnswer, StreamEvent, UpstreamCall } from "./provider.ts";
import type { BodyReader, UpstreamLine } from "./upstream-line.ts";

/** How long the end of a finished answer may take before its connection is given up. */
const drainMs = 1000;
/** A stream that has said so much without a token is let through as it is. */
const maxHeldEvents = 64;

/** Reads past `[DONE]` to the end, because only then the connection serves the next call. */
async function drain(reader: BodyReader, line: UpstreamLine): Promise<void> {
  const timer = setTimeout(() => line.cut(), drainMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // Cut off or broken: the answer was complete, so nobody has to know.
  } finally {
    clearTimeout(timer);
  }
}

function isUnderWay(events: readonly StreamEvent[]): boolean {
  if (events.length >= maxHeldEvents) return true;
  return events.some((event) => (event.kind === "chunk" ? event.tokens > 0 : true));
}

type Batch = IteratorResult<StreamEvent[], undefined>;

/**
 * One batch of events per network read. Written out instead of a generator: `next` runs once per
 * event of every stream, and a generator and its wrappers cost as much as reading the event.
 */
class Batches implements AsyncIterableIterator<StreamEvent[], undefined> {
  readonly #reader: BodyReader;
  readonly #stream: EventStream;
  readonly #line: UpstreamLine;
  #held: StreamEvent[] = [];

  constructor(reader: BodyReader, stream: EventStream, line: UpstreamLine) {
    this.#reader = reader;
    this.#stream = stream;
    this.#line = line;
  }

  /** Puts the first token (or the end) behind what came before it; rejects with an early Fault. */
  async begin(): Promise<void> {
    const held: StreamEvent[] = [];
    while (!isUnderWay(held)) {
      const batch = await this.next();
      if (batch.done) break;
      held.push(...batch.value);
    }
    this.#held = held;
  }

  async next(): Promise<Batch> {
    if (this.#held.length > 0) {
      const value = this.#held;
      this.#held = [];
      return { done: false, value };
    }
    while (this.#stream.fault === undefined) {
      if (this.#stream.done) return { done: true, value: undefined };
      const value = await this.#read();
      if (this.#stream.done) {
        this.#line.close();
        void drain(this.#reader, this.#line);
      }
      if (value.length > 0) return { done: false, value };
    }
    this.#line.cut();
    throw this.#stream.fault;
  }

  /** Lets the upstream go, also while `next` waits for it. */
  async return(): Promise<Batch> {
    this.#held = [];
    if (!this.#stream.done) this.#line.cut();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The events of one read. A connection that breaks after a complete answer breaks nothing. */
  async #read(): Promise<StreamEvent[]> {
    try {
      this.#line.startWaiting();
      const { done, value } = await this.#reader.read();
      this.#line.stopWaiting();
      return done ? this.#stream.end() : this.#stream.push(value);
    } catch (thrown) {
      const fault = this.#line.explain(thrown);
      if (fault.code !== "client_closed_request" && this.#stream.finished)
        return this.#stream.end();
      this.#line.cut();
      throw fault;
    }
  }
}

/** Resolves with the first token (or the end) read; rejects with a Fault if one came before it. */
export async function readStream(
  call: UpstreamCall,
  body: ReadableStream<Uint8Array>,
  line: UpstreamLine,
  options: { readonly maxEventBytes: number },
): Promise<StreamAnswer> {
  const events = new Batches(body.getReader(), new EventStream(call, options), line);
  await events.begin();
  return { kind: "stream", events };
}
