// Many slow streams at the same time: what does one event cost the process that relays it, and how much
// memory does an open stream need? Each round gets fresh processes, so that no garbage of an earlier one
// is counted or reused.

import { type Connection, connect } from "./connect-http.ts";
import { type Comparison, failureOfPeer, type LoadContext, sendLoadTo } from "./measure-load.ts";
import { childrenOf, readFamilyCpuMs, readFamilyRssBytes } from "./read-usage.ts";
import { type BenchContext, type Side, startUpstream, withSides } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type StreamFigures = {
  eventsPerSecond: number;
  cpuMicrosecondsPerEvent: number;
  /** Resident memory above that of the idle process, after a full collection on both occasions. */
  bytesPerStream: number;
};

type StreamLoad = { keys: readonly string[]; streams: number; seconds: number };

const paceMs = 100;
/** Far longer than opening and measuring takes: the upstream ends the streams when told to. */
const streamMaxMs = 240_000;
/** How many may be opening concurrently: a thousand at the same moment would rightly be shed. */
const openingMax = 32;
/** A peer that relays the streams it has more slowly than they come never gets to the last one. */
const openingTimeoutMs = 60_000;
/** With all streams open, to warm up the code. */
const warmUpMs = 1_000;
const collectMs = 1_000;

/** Linux only: no other system reports what another process uses. */
export async function compareStreams(
  context: BenchContext,
  load: StreamLoad,
  bill: LoadContext["bill"],
): Promise<Comparison<StreamFigures>> {
  const deltas = streamMaxMs / paceMs;
  const upstream = await startUpstream(deltas, paceMs);
  const collected = new Map<
    Side["name"],
    { title: string; figures: StreamFigures[]; failed?: string }
  >();
  const common = {
    keys: load.keys,
    upstreamPid: upstream.pid,
    postgresPid: undefined,
    deltas,
    bill,
  };
  try {
    for (const round of [1, 2]) {
      const failed = [...collected.values()].filter((rounds) => rounds.failed !== undefined);
      const peers = context.peers.filter(({ title }) =>
        failed.every((rounds) => rounds.title !== title),
      );
      await withSides({ ...context, peers }, upstream, async (sides) => {
        for (const side of round === 1 ? sides : sides.toReversed()) {
          const { name, title } = side;
          const rounds = collected.get(name) ?? { title, figures: [] };
          collected.set(name, rounds);
          try {
            rounds.figures.push(await measureStreams({ ...common, sides }, side, load));
          } catch (error) {
            rounds.failed = failureOfPeer(side, error);
          }
        }
      });
    }
  } finally {
    await upstream.kill();
  }
  // In the order of the first round; the second ran in reverse.
  return [...collected].map(([side, { title, figures, failed }]) => ({
    side,
    title,
    figures: failed === undefined ? mean(figures) : { failed },
  }));
}

async function measureStreams(
  loadContext: LoadContext,
  side: Side,
  load: StreamLoad,
): Promise<StreamFigures> {
  await sendLoadTo(loadContext, side, { connections: 4, seconds: 0.5, stream: false });
  const idleBytes = await readSettledRss(side);

  const opened = openStreams(loadContext, side, load.streams);
  try {
    const [figures] = await Promise.all([
      opened.all
        .then(() => measureOpen(side, opened.progress, load, idleBytes))
        .finally(() => process.kill(loadContext.upstreamPid, "SIGUSR1")),
      // A stream that breaks ends the run immediately, not only when the others have ended.
      opened.ended,
    ]);
    if (side.bills) loadContext.bill.add(load.streams, loadContext.deltas);
    return figures;
  } finally {
    opened.close();
  }
}

type Progress = { events: number; ended: number };

async function measureOpen(
  side: Side,
  progress: Progress,
  load: StreamLoad,
  idleBytes: number,
): Promise<StreamFigures> {
  const { pid } = side;
  await Bun.sleep(warmUpMs);
  const before = { events: progress.events, cpuMs: readFamilyCpuMs(pid), at: performance.now() };
  await Bun.sleep(load.seconds * 1000);
  const seconds = (performance.now() - before.at) / 1000;
  const relayed = progress.events - before.events;
  const cpuMs = readFamilyCpuMs(pid) - before.cpuMs;
  const openBytes = await readSettledRss(side);
  if (progress.ended > 0) {
    throw new Error(`${side.name}: streams ended while others were opening or measured`);
  }
  return {
    eventsPerSecond: relayed / seconds,
    cpuMicrosecondsPerEvent: (cpuMs * 1000) / relayed,
    bytesPerStream: (openBytes - idleBytes) / load.streams,
  };
}

type OpenedStreams = {
  progress: Progress;
  /** Resolves when each stream has its first event; rejects if that takes too long. */
  all: Promise<unknown>;
  /** Resolves when each stream was read to its end. */
  ended: Promise<unknown>;
  close(): void;
};

function openStreams(loadContext: LoadContext, side: Side, count: number): OpenedStreams {
  const { port, headers } = side;
  const requests = loadContext.keys.map((key) =>
    writeRequest({ port, key, stream: true, headers }),
  );
  const progress = { events: 0, ended: 0 };
  const answers: Promise<unknown>[] = [];
  const connections: Connection[] = [];
  const givenUp = Promise.withResolvers<never>();
  const deadline = setTimeout(() => {
    const { length } = connections;
    givenUp.reject(
      new Error(`only ${length} of ${count} streams opened in ${openingTimeoutMs} ms`),
    );
  }, openingTimeoutMs);
  const readOne = async (request: Buffer, onEvents: (events: number) => void) => {
    const connection = await connect(port);
    connections.push(connection);
    await connection.ask(request, onEvents);
  };
  const openNext = async (): Promise<void> => {
    while (answers.length < count) {
      const request = requests[answers.length % requests.length] ?? Buffer.alloc(0);
      const begun = Promise.withResolvers<void>();
      const answer = readOne(request, (events) => {
        progress.events += events;
        begun.resolve();
      }).finally(() => progress.ended++);
      answers.push(answer);
      await Promise.race([begun.promise, answer, givenUp.promise]);
    }
  };
  const all = Promise.all(Array.from({ length: openingMax }, openNext)).finally(() =>
    clearTimeout(deadline),
  );
  const ended = all.then(() => Promise.all(answers));
  return {
    progress,
    all,
    ended,
    close() {
      // What breaks from here on is already told, or no longer of interest.
      void Promise.allSettled([ended, ...answers]);
      for (const connection of connections) connection.close();
    },
  };
}

async function readSettledRss({ pid, collects }: Side): Promise<number> {
  if (collects) for (const each of [pid, ...childrenOf(pid)]) process.kill(each, "SIGUSR2");
  await Bun.sleep(collectMs);
  return readFamilyRssBytes(pid);
}

function mean(figures: readonly StreamFigures[]): StreamFigures {
  const of = (name: keyof StreamFigures) =>
    figures.reduce((total, each) => total + each[name], 0) / figures.length;
  return {
    eventsPerSecond: of("eventsPerSecond"),
    cpuMicrosecondsPerEvent: of("cpuMicrosecondsPerEvent"),
    bytesPerStream: of("bytesPerStream"),
  };
}
