// Opens many streams and reads them until they end. A stream that fails is counted with its reason, and the
// others stay open.
import { type Connection, connect } from "./connect-http.ts";
import { Failures } from "./count-failures.ts";

export type Progress = { asked: number; events: number; ended: number; failures: Failures };

type OpenedStreams = {
  progress: Progress;
  /**
   * Resolves when each stream has its first event or has failed, or when so many have failed that no
   * more are opened; rejects if that takes too long.
   */
  all: Promise<unknown>;
  /** Resolves when each stream was read to its end or has failed. */
  ended: Promise<unknown>;
  close(): void;
};

/** How many may be opening concurrently: a thousand at the same moment would rightly be shed. */
const openingMax = 32;
/** A peer that relays the streams it has more slowly than they come never gets to the last one. */
const openingTimeoutMs = 60_000;

export function openStreams(
  port: number,
  requests: readonly Buffer[],
  count: number,
): OpenedStreams {
  const progress = { asked: 0, events: 0, ended: 0, failures: new Failures() };
  const answers: Promise<unknown>[] = [];
  const connections: Connection[] = [];
  const givenUp = Promise.withResolvers<never>();
  const deadline = setTimeout(() => {
    const { length } = connections;
    const failures = progress.failures.describe(progress.asked, "streams");
    const reasons = failures === undefined ? "" : `; ${failures}`;
    givenUp.reject(
      new Error(`only ${length} of ${count} streams opened in ${openingTimeoutMs} ms${reasons}`),
    );
  }, openingTimeoutMs);
  const readOne = async (request: Buffer, onEvents: (events: number) => void) => {
    const connection = await connect(port);
    connections.push(connection);
    await connection.ask(request, onEvents);
  };
  const openNext = async (): Promise<void> => {
    while (progress.asked < count && !progress.failures.areTooMany(count)) {
      const request = requests[progress.asked % requests.length] ?? Buffer.alloc(0);
      progress.asked += 1;
      const begun = Promise.withResolvers<void>();
      const answer = readOne(request, (events) => {
        progress.events += events;
        begun.resolve();
      }).then(
        () => {
          progress.ended += 1;
        },
        (error) => progress.failures.add(error),
      );
      answers.push(answer);
      await Promise.race([begun.promise, answer, givenUp.promise]);
    }
  };
  const all = Promise.all(Array.from({ length: openingMax }, openNext)).finally(() =>
    clearTimeout(deadline),
  );
  const ended = all.then(() => Promise.all(answers));
  // Nobody awaits it when `all` has rejected.
  ended.catch(() => undefined);
  return {
    progress,
    all,
    ended,
    close() {
      for (const connection of connections) connection.close();
    },
  };
}
