// Many slow streams at once: what does one event cost the process that relays it, and what does an
// open stream keep in its memory? Each round gets fresh processes, so that no garbage of an earlier
// one is counted or reused.
import { type Stage, sendLoadTo } from "./measure-load.ts";
import { readCpuMs, readRssBytes } from "./read-usage.ts";
import { connect } from "./speak-http.ts";
import { type Side, type Surroundings, startUpstream, withSides } from "./start-sides.ts";
import { writeRequest } from "./write-request.ts";

export type StreamFigures = {
  eventsPerSecond: number;
  cpuMicrosecondsPerEvent: number;
  /** Resident memory above that of the idle process, after a full collection on both occasions. */
  bytesPerStream: number;
};

export type StreamComparison = { bare: StreamFigures; turnpike: StreamFigures };

type StreamLoad = { keys: readonly string[]; streams: number; seconds: number };

const paceMs = 100;
/** The longest that opening all streams may take. */
const openMaxMs = 6_000;
/** That many may be opening at once: a thousand at one instant would be shed, and rightly. */
const openingMax = 32;
/** With all streams open, for the code to get warm. */
const warmUpMs = 1_000;
const collectMs = 1_000;
const spareMs = 1_000;

/** Linux only: no other system tells what another process uses. */
export async function compareStreams(
  around: Surroundings,
  load: StreamLoad,
  bill: Stage["bill"],
): Promise<StreamComparison> {
  const deltas = Math.ceil(
    (openMaxMs + warmUpMs + load.seconds * 1000 + collectMs + spareMs) / paceMs,
  );
  const upstream = await startUpstream(deltas, paceMs);
  const figures: Record<Side["name"], StreamFigures[]> = { bare: [], turnpike: [] };
  const common = {
    keys: load.keys,
    upstreamPid: upstream.pid,
    postgresPid: undefined,
    deltas,
    bill,
  };
  try {
    for (const round of [1, 2]) {
      await withSides(around, upstream, async (sides) => {
        for (const side of round === 1 ? sides : sides.toReversed()) {
          figures[side.name].push(await measureStreams({ ...common, sides }, side, load));
        }
      });
    }
  } finally {
    await upstream.kill();
  }
  return { bare: mean(figures.bare), turnpike: mean(figures.turnpike) };
}

async function measureStreams(stage: Stage, side: Side, load: StreamLoad): Promise<StreamFigures> {
  const { pid } = side.server;
  await sendLoadTo(stage, side, { connections: 4, seconds: 0.5, stream: false });
  const idleBytes = await readSettledRss(pid);

  const opened = openStreams(stage, side, load.streams);
  const [figures] = await Promise.all([
    opened.all.then(() => measureOpen(side, opened.progress, load, idleBytes)),
    // A stream that breaks ends the run at once, and not only when the others are through.
    opened.ended,
  ]);
  if (side.name === "turnpike") stage.bill.add(load.streams, stage.deltas);
  return figures;
}

type Progress = { events: number; ended: number };

async function measureOpen(
  side: Side,
  progress: Progress,
  load: StreamLoad,
  idleBytes: number,
): Promise<StreamFigures> {
  const { pid } = side.server;
  await Bun.sleep(warmUpMs);
  const before = { events: progress.events, cpuMs: readCpuMs(pid), at: performance.now() };
  await Bun.sleep(load.seconds * 1000);
  const seconds = (performance.now() - before.at) / 1000;
  const relayed = progress.events - before.events;
  const cpuMs = readCpuMs(pid) - before.cpuMs;
  const openBytes = await readSettledRss(pid);
  if (progress.ended > 0) {
    throw new Error(`${side.name}: streams ended while others were opening or measured`);
  }
  return {
    eventsPerSecond: relayed / seconds,
    cpuMicrosecondsPerEvent: (cpuMs * 1000) / relayed,
    bytesPerStream: (openBytes - idleBytes) / load.streams,
  };
}

type OpenedStreams = { progress: Progress; all: Promise<unknown>; ended: Promise<unknown> };

/** `all` resolves when each has its first event, `ended` when each was read to its end. */
function openStreams(stage: Stage, side: Side, count: number): OpenedStreams {
  const port = Number(new URL(side.server.url).port);
  const requests = stage.keys.map((key) => writeRequest(port, key, true));
  const progress = { events: 0, ended: 0 };
  const answers: Promise<unknown>[] = [];
  const openNext = async (): Promise<void> => {
    while (answers.length < count) {
      const request = requests[answers.length % requests.length] ?? Buffer.alloc(0);
      const begun = Promise.withResolvers<void>();
      const answer = readOne(port, request, (events) => {
        progress.events += events;
        begun.resolve();
      }).finally(() => progress.ended++);
      answers.push(answer);
      await Promise.race([begun.promise, answer]);
    }
  };
  const all = Promise.all(Array.from({ length: openingMax }, openNext));
  return { progress, all, ended: all.then(() => Promise.all(answers)) };
}

async function readOne(port: number, request: Buffer, onEvents: (events: number) => void) {
  const connection = await connect(port);
  await connection.ask(request, onEvents);
  connection.close();
}

async function readSettledRss(pid: number): Promise<number> {
  process.kill(pid, "SIGUSR2");
  await Bun.sleep(collectMs);
  return readRssBytes(pid);
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
