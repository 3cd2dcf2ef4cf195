// Many slow streams at the same time: what does one event cost the process that relays it, and how much
// memory does an open stream need? Each round gets fresh processes, so that no garbage of an earlier one
// is counted or reused.
import { Failures } from "./count-failures.ts";
import { type Comparison, describeFailure, type LoadContext, sendLoadTo } from "./measure-load.ts";
import { openStreams, type Progress } from "./open-streams.ts";
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

/** What one side did in both rounds. */
type Rounds = {
  title: string;
  figures: StreamFigures[];
  failures: Failures;
  /** Asked for. */
  streams: number;
  failed?: string;
};

const paceMs = 100;
/** Far longer than opening and measuring takes: the upstream ends the streams when told to. */
const streamMaxMs = 240_000;
/** Before anything is measured: what compiles the code of a stream is neither its memory nor the cost of an event. */
const warmUp = { streams: 64, ms: 8_000 };
/** With all streams open. */
const settleMs = 1_000;
const collectMs = 1_000;

/** Linux only: no other system reports what another process uses. */
export async function compareStreams(
  context: BenchContext,
  load: StreamLoad,
  bill: LoadContext["bill"],
): Promise<Comparison<StreamFigures>> {
  const deltas = streamMaxMs / paceMs;
  const upstream = await startUpstream(deltas, paceMs);
  const collected = new Map<Side["name"], Rounds>();
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
          const rounds = collected.get(name) ?? newRounds(title);
          collected.set(name, rounds);
          if (rounds.failed !== undefined) continue;
          try {
            await measureRound({ ...common, sides }, side, load, rounds);
          } catch (error) {
            rounds.failed = describeFailure(side, error);
          }
        }
      });
    }
  } finally {
    await upstream.kill();
  }
  // In the order of the first round; the second ran in reverse.
  return [...collected].map(([side, { title, figures, failures, streams, failed }]) => ({
    side,
    title,
    figures: failed === undefined ? mean(figures) : { failed },
    failures: failures.describe(streams, "streams"),
  }));
}

function newRounds(title: string): Rounds {
  return { title, figures: [], failures: new Failures(), streams: 0 };
}

async function measureRound(
  loadContext: LoadContext,
  side: Side,
  load: StreamLoad,
  rounds: Rounds,
): Promise<void> {
  await sendLoadTo(loadContext, side, { connections: 4, seconds: 0.5, stream: false });
  await relayStreams(loadContext, side, warmUp.streams, () => Bun.sleep(warmUp.ms));
  const idleBytes = await readSettledRss(side);
  const { result, progress } = await relayStreams(loadContext, side, load.streams, (opened) =>
    measureOpen(side, opened, load, idleBytes),
  );
  rounds.figures.push(result);
  rounds.failures.merge(progress.failures);
  rounds.streams += load.streams;
}

/** Opens as many, has them ended once `use` has ended, and waits for that. Rejects if more than a few failed. */
async function relayStreams<Result>(
  loadContext: LoadContext,
  side: Side,
  streams: number,
  use: (opened: Progress) => Promise<Result>,
): Promise<{ result: Result; progress: Progress }> {
  const { port, headers, keys = loadContext.keys } = side;
  const requests = keys.map((key) => writeRequest({ port, key, stream: true, headers }));
  const opened = openStreams(port, requests, streams);
  const { progress } = opened;
  try {
    const result = await opened.all
      .then(() => use(progress))
      .finally(() => process.kill(loadContext.upstreamPid, "SIGUSR1"));
    await opened.ended;
    expectFewFailures(progress, streams);
    return { result, progress };
  } finally {
    if (side.bills) billStreams(loadContext, progress);
    opened.close();
  }
}

function expectFewFailures({ asked, failures }: Progress, streams: number): void {
  if (failures.areTooMany(streams)) throw new Error(failures.describe(asked, "streams"));
}

/** What is still open when the round failed is about to break off. */
function billStreams({ bill, deltas }: LoadContext, progress: Progress): void {
  bill.add(progress.ended, deltas);
  bill.addUnknown(progress.asked - progress.ended - progress.failures.refused);
}

async function measureOpen(
  side: Side,
  progress: Progress,
  load: StreamLoad,
  idleBytes: number,
): Promise<StreamFigures> {
  expectFewFailures(progress, load.streams);
  const { pid } = side;
  await Bun.sleep(settleMs);
  const before = { events: progress.events, cpuMs: readFamilyCpuMs(pid), at: performance.now() };
  await Bun.sleep(load.seconds * 1000);
  const seconds = (performance.now() - before.at) / 1000;
  const relayed = progress.events - before.events;
  const cpuMs = readFamilyCpuMs(pid) - before.cpuMs;
  const openBytes = await readSettledRss(side);
  expectFewFailures(progress, load.streams);
  if (progress.ended > 0) {
    throw new Error(`${side.name}: streams ended while others were opening or measured`);
  }
  return {
    eventsPerSecond: relayed / seconds,
    cpuMicrosecondsPerEvent: (cpuMs * 1000) / relayed,
    bytesPerStream: (openBytes - idleBytes) / (load.streams - progress.failures.total),
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
