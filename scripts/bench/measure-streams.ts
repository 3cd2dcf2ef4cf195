// Many slow streams at once: what does one event cost the process that relays it, and what does an
// open stream keep in its memory? Each round gets fresh processes, so that no garbage of an earlier
// one is counted or reused.
import { type Stage, sendLoadTo } from "./measure-load.ts";
import { readCpuMs, readRssBytes } from "./read-usage.ts";
import { connect } from "./speak-http.ts";
import { type Side, type Surroundings, startSides, startUpstream } from "./start-sides.ts";
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
/** For opening every stream, and for the code to get warm. */
const rampMs = 3_000;
const collectMs = 1_000;
const spareMs = 1_000;

/** Linux only: no other system tells what another process uses. */
export async function compareStreams(
  around: Surroundings,
  load: StreamLoad,
  bill: Stage["bill"],
): Promise<StreamComparison> {
  const deltas = Math.ceil((rampMs + load.seconds * 1000 + collectMs + spareMs) / paceMs);
  const upstream = await startUpstream(deltas, paceMs);
  const rounds: StreamComparison[] = [];
  try {
    for (const order of ["bare first", "turnpike first"]) {
      const { bare, turnpike, stop } = await startSides(around, upstream);
      const { keys } = load;
      const stage: Stage = {
        sides: [bare, turnpike],
        keys,
        upstreamPid: upstream.pid,
        postgresPid: undefined,
        deltas,
        bill,
      };
      const measure = (side: Side) => measureStreams(stage, side, load);
      const early = order === "bare first" ? await measure(bare) : undefined;
      const figures = await measure(turnpike);
      rounds.push({ bare: early ?? (await measure(bare)), turnpike: figures });
      await stop();
    }
  } finally {
    await upstream.kill();
  }
  return { bare: mean(rounds.map((r) => r.bare)), turnpike: mean(rounds.map((r) => r.turnpike)) };
}

async function measureStreams(stage: Stage, side: Side, load: StreamLoad): Promise<StreamFigures> {
  const { pid } = side.server;
  await sendLoadTo(stage, side, { connections: 4, seconds: 0.5, stream: false });
  const idleBytes = await readSettledRss(pid);

  let events = 0;
  let ended = 0;
  const answers = openStreams(stage, side, load.streams, (more) => {
    events += more;
  }).map((answer) => answer.finally(() => ended++));
  // A stream that breaks ends the run at once, and not only when the others are through.
  const all = Promise.all(answers);
  const measured = async () => {
    await Bun.sleep(rampMs);
    const before = { events, cpuMs: readCpuMs(pid), at: performance.now() };
    await Bun.sleep(load.seconds * 1000);
    const seconds = (performance.now() - before.at) / 1000;
    const relayed = events - before.events;
    const cpuMs = readCpuMs(pid) - before.cpuMs;
    const openBytes = await readSettledRss(pid);
    if (ended > 0)
      throw new Error("streams ended while they were measured: the machine is too slow");
    return {
      eventsPerSecond: relayed / seconds,
      cpuMicrosecondsPerEvent: (cpuMs * 1000) / relayed,
      bytesPerStream: (openBytes - idleBytes) / load.streams,
    };
  };
  const [figures] = await Promise.all([measured(), all]);
  if (side.name === "turnpike") stage.bill.add(load.streams, stage.deltas);
  return figures;
}

function openStreams(
  stage: Stage,
  side: Side,
  count: number,
  onEvents: (events: number) => void,
): Promise<unknown>[] {
  const port = Number(new URL(side.server.url).port);
  const requests = stage.keys.map((key) => writeRequest(port, key, true));
  return Array.from({ length: count }, async (_, index) => {
    const connection = await connect(port);
    await connection.ask(requests[index % requests.length] ?? Buffer.alloc(0), onEvents);
    connection.close();
  });
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
