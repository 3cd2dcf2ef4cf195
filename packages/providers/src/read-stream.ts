// Reads a streamed answer, one batch of events per network read. It begins with the first token, so
// that every earlier refusal still has its HTTP status, and ends with `done` or a Fault.

import { EventStream } from "./event-stream.ts";
import type { StreamAnswer, StreamEvent, UpstreamCall } from "./provider.ts";
import type { BodyReader, UpstreamLine } from "./upstream-line.ts";

/** How long the end of a finished answer may take before its connection is given up. */
const drainMs = 1000;
/** A stream that has said so much without a token is let through as it is. */
const maxHeldEvents = 64;

/** The events of one read. A connection that breaks after a complete answer breaks nothing. */
async function pull(
  reader: BodyReader,
  stream: EventStream,
  line: UpstreamLine,
): Promise<StreamEvent[]> {
  try {
    const { done, value } = await line.read(reader);
    return done ? stream.end() : stream.push(value);
  } catch (thrown) {
    const fault = line.explain(thrown);
    if (fault.code === "client_closed_request" || !stream.finished) throw fault;
    return stream.end();
  }
}

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

async function* relay(
  reader: BodyReader,
  stream: EventStream,
  line: UpstreamLine,
): AsyncGenerator<StreamEvent[], undefined> {
  try {
    while (!stream.done) {
      const events = await pull(reader, stream, line);
      if (stream.done) {
        line.close();
        void drain(reader, line);
      }
      if (events.length > 0) yield events;
      if (stream.fault) throw stream.fault;
    }
    return undefined;
  } finally {
    if (!stream.done) line.cut();
  }
}

function isUnderWay(events: readonly StreamEvent[]): boolean {
  if (events.length >= maxHeldEvents) return true;
  return events.some((event) => (event.kind === "chunk" ? event.tokens > 0 : true));
}

/** Resolves with the first token (or the end) read; rejects with a Fault if one came before it. */
export async function readStream(
  call: UpstreamCall,
  body: ReadableStream<Uint8Array>,
  line: UpstreamLine,
  options: { readonly maxEventBytes: number },
): Promise<StreamAnswer> {
  const stream = new EventStream(call, options);
  const batches = relay(body.getReader(), stream, line);
  const held: StreamEvent[] = [];
  while (!isUnderWay(held)) {
    const batch = await batches.next();
    if (batch.done) break;
    held.push(...batch.value);
  }
  return { kind: "stream", upstreamId: stream.upstreamId, events: resume(held, batches) };
}

/** `held`, then the rest. Returning it before the first read still ends the generator. */
function resume(
  held: StreamEvent[],
  rest: AsyncGenerator<StreamEvent[], undefined>,
): StreamAnswer["events"] {
  let pending = held.length > 0;
  return {
    next() {
      if (!pending) return rest.next();
      pending = false;
      return Promise.resolve({ done: false, value: held });
    },
    return() {
      pending = false;
      return rest.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
