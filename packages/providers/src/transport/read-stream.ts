// Reads a streamed answer, one batch of events per network read. It begins with the first token, so that every earlier
// refusal still has its HTTP status, and ends with `done` or a Fault. What is nearly always known at once is no
// promise: an async function takes six heap cells (decision 16).

import type { Fault } from "@turnpike/base";
import type { StreamAnswer, StreamEvent, StreamReader, UpstreamClient } from "../provider.ts";
import { streamLimits, type UpstreamLimits } from "../upstream-limits.ts";
import { beginsAsJson } from "./body-form.ts";
import { countLarge } from "./read-body.ts";
import type { BodyRead, BodyReader, UpstreamConnection } from "./upstream-connection.ts";

/** How long the end of a finished answer may take before its connection is abandoned. */
const drainMs = 1000;
/** A stream that has sent this much without a token is passed on. */
const maxHeldEvents = 64;

/** Reads past `[DONE]` to the end, because only then can the connection serve the next call. */
async function drain(reader: BodyReader, connection: UpstreamConnection): Promise<void> {
  const timer = setTimeout(() => connection.abort(), drainMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // Cut off or broken: the answer was complete, so it does not matter.
  } finally {
    clearTimeout(timer);
  }
}

/** The readers of both forms that an answer may have. */
export type StreamForms = {
  /** Of audio, whose first byte may be that of a JSON; known by its type alone. */
  readonly isBinary: boolean;
  asEvents(): StreamReader;
  /** For one JSON. */
  asWhole(): StreamReader;
};

type Result = IteratorResult<StreamEvent[], undefined>;

/** One array per network read. Neither a generator nor an async function: either costs extra promises. */
class Batches implements AsyncIterableIterator<StreamEvent[], undefined> {
  readonly #reader: BodyReader;
  /** Until the form of the answer is known. */
  #forms: StreamForms | undefined;
  readonly #connection: UpstreamConnection;
  #stream: StreamReader;
  #held: StreamEvent[] = [];
  #over = false;
  readonly #countBytes: ((bytes: number) => void) | undefined;
  #bytes = 0;

  constructor(
    reader: BodyReader,
    forms: StreamForms,
    connection: UpstreamConnection,
    countBytes: ((bytes: number) => void) | undefined,
  ) {
    this.#reader = reader;
    this.#forms = forms;
    this.#stream = forms.asEvents();
    this.#connection = connection;
    this.#countBytes = countBytes;
  }

  get upstreamId(): string | undefined {
    return this.#stream.upstreamId;
  }

  /** Returned by the next call of `next`. */
  putBack(events: StreamEvent[]): void {
    this.#held = events;
  }

  next(): Promise<Result> {
    if (this.#held.length > 0) {
      const value = this.#held;
      this.#held = [];
      return Promise.resolve({ done: false, value });
    }
    if (this.#over) return this.return();
    // What came before a fault was returned before it.
    const { fault } = this.#stream;
    if (fault !== undefined) return this.#fail(fault);
    this.#connection.startWaiting();
    return this.#reader.read().then(this.#onRead, this.#onBroken);
  }

  /** Releases the connection, unless the answer is complete. */
  return(): Promise<Result> {
    this.#held = [];
    if (!this.#over) this.#connection.abort();
    this.#over = true;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  readonly #onRead = ({ done, value }: BodyRead): Result | Promise<Result> => {
    this.#connection.stopWaiting();
    if (done) return this.#handOut(this.#stream.end());
    if (this.#countBytes !== undefined) {
      this.#bytes += value.byteLength;
      try {
        this.#countBytes(this.#bytes);
      } catch (thrown) {
        return this.#fail(this.#connection.explain(thrown));
      }
    }
    if (this.#forms !== undefined) this.#begin(value, this.#forms);
    return this.#handOut(this.#stream.push(value));
  };

  /** What is only blank decides nothing, and means nothing in either form. */
  #begin(bytes: Uint8Array, forms: StreamForms): void {
    const isJson = forms.isBinary ? false : beginsAsJson(bytes);
    if (isJson) this.#stream = forms.asWhole();
    if (isJson !== undefined) this.#forms = undefined;
  }

  /** A connection that breaks after a complete answer does no harm. */
  readonly #onBroken = (thrown: unknown): Result | Promise<Result> => {
    const fault = this.#connection.explain(thrown);
    if (fault.code === "client_closed_request" || !this.#stream.finished) return this.#fail(fault);
    return this.#handOut(this.#stream.end());
  };

  #handOut(value: StreamEvent[]): Result | Promise<Result> {
    if (this.#stream.done) this.#finish();
    return value.length > 0 ? { done: false, value } : this.next();
  }

  #fail(fault: Fault): Promise<never> {
    void this.return();
    return Promise.reject(fault);
  }

  #finish(): void {
    this.#over = true;
    this.#connection.close();
    void drain(this.#reader, this.#connection);
  }
}

function saysSomething(event: StreamEvent): boolean {
  if (!("tokens" in event)) return event.kind !== "early_usage";
  return event.tokens > 0 || (event.kind === "chunk" && event.isShown === true);
}

function isUnderWay(events: readonly StreamEvent[]): boolean {
  if (events.length >= maxHeldEvents) return true;
  return events.some(saysSomething);
}

type StreamBounds = {
  readonly client: Pick<UpstreamClient, "countAnswer">;
  readonly limits: Pick<UpstreamLimits, "maxEventBytes">;
};

/** Resolves with the first token (or the end) read; rejects with a Fault if one came before it. */
export async function readStream(
  forms: StreamForms,
  body: ReadableStream<Uint8Array>,
  connection: UpstreamConnection,
  { client, limits }: StreamBounds,
): Promise<StreamAnswer> {
  // Of images, events are as large as whole answers and are kept until their bill: they count as such.
  const isLarge = limits.maxEventBytes > streamLimits.maxEventBytes;
  const countBytes = isLarge ? countLarge(client) : undefined;
  const batches = new Batches(body.getReader(), forms, connection, countBytes);
  const held: StreamEvent[] = [];
  while (!isUnderWay(held)) {
    const batch = await batches.next();
    if (batch.done) break;
    held.push(...batch.value);
  }
  batches.putBack(held);
  return { kind: "stream", upstreamId: batches.upstreamId, events: batches };
}
