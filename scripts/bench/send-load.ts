// The load: HTTP/1.1 over raw sockets, one request at a time on each connection, with as little
// parsing as needed to find where an answer ends. Every request begun is read to its end, so that the
// number of answers is the number of calls to be billed.
import { connect } from "./connect-http.ts";

export type Load = {
  port: number;
  /** A whole request, head and body, for each call of a connection. */
  nextRequest: (connection: number) => Buffer;
  connections: number;
  seconds: number;
};

export type LoadResult = {
  /** Answers that ended within the measured time. */
  answers: number;
  /** All answers, including lead-in and tail. */
  calls: number;
  seconds: number;
  latenciesMs: readonly number[];
  /** Until the first byte of the body. */
  firstBytesMs: readonly number[];
};

const leadInMs = 250;

/** Rejects when an answer is not a 200 or a connection breaks. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const firstBytesMs: number[] = [];
  let calls = 0;
  const measuredFrom = performance.now() + leadInMs;
  const until = measuredFrom + load.seconds * 1000;
  const send = async (index: number) => {
    const connection = await connect(load.port);
    for (let now = performance.now(); now < until; ) {
      const answer = await connection.ask(load.nextRequest(index));
      const endedAt = performance.now();
      calls += 1;
      if (now >= measuredFrom && endedAt <= until) {
        latenciesMs.push(endedAt - now);
        firstBytesMs.push(answer.firstByteAt - now);
      }
      now = endedAt;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: load.connections }, (_, index) => send(index)));
  const { seconds } = load;
  return { answers: latenciesMs.length, calls, seconds, latenciesMs, firstBytesMs };
}
