// The load: HTTP/1.1 over raw sockets, one request at a time on each connection, with as little
// parsing as needed to find where an answer ends. Every request begun is read to its end, so that the
// number of answers is the number of calls to be billed.
import { type Connection, connect } from "./connect-http.ts";
import { Failures } from "./count-failures.ts";

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
  failures: Failures;
};

const leadInMs = 250;
/** A server that fails this often is not asked again: it could be hundreds of thousands of times. */
const failuresMax = 100;

/** A call whose answer is not a 200 or breaks off has failed; the next one gets a new connection. */
export async function sendLoad(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const firstBytesMs: number[] = [];
  let calls = 0;
  const measuredFrom = performance.now() + leadInMs;
  const until = measuredFrom + load.seconds * 1000;
  const failures = new Failures();
  const sendUntilFailure = async (index: number, connection: Connection) => {
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
  };
  const send = async (index: number) => {
    do {
      let connection: Connection | undefined;
      try {
        connection = await connect(load.port);
        await sendUntilFailure(index, connection);
      } catch (error) {
        failures.add(error);
      } finally {
        connection?.close();
      }
    } while (performance.now() < until && failures.total < failuresMax);
  };
  await Promise.all(Array.from({ length: load.connections }, (_, index) => send(index)));
  const { seconds } = load;
  return { answers: latenciesMs.length, calls, seconds, latenciesMs, firstBytesMs, failures };
}

/** For measurements that mean nothing if a call failed. */
export function expectNoFailures({ calls, failures }: LoadResult): void {
  const described = failures.describe(calls + failures.total, "calls");
  if (described !== undefined) throw new Error(described);
}
