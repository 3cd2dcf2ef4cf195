// The rows of the table: the load of each, and what must exist before it.
import { citusMissing, findCitus } from "../citus/find-citus.ts";
import type { RunningPostgres } from "../postgres/start-postgres.ts";
import {
  type BenchOptions,
  type LoadRowName,
  namedRows,
  type RowName,
  type StreamRowName,
} from "./bench-options.ts";
import type { Bill } from "./bill.ts";
import { fillRequests } from "./fill-requests.ts";
import { fundColdKeys } from "./fund-cold-keys.ts";
import { type AcquisitionFigures, measureAcquisitions } from "./measure-acquisitions.ts";
import { type CellFigures, measureCells } from "./measure-cells.ts";
import { type CitusFigures, measureCitus } from "./measure-citus.ts";
import { compareDialects, type DialectFigures } from "./measure-dialects.ts";
import { type FloodFigures, floodShapes, measureFlood } from "./measure-flood.ts";
import {
  type Comparison,
  compareLoad,
  failureOfPeer,
  type LoadContext,
  type LoadFigures,
  sendLoadTo,
} from "./measure-load.ts";
import { compareLogins, type LoginComparison } from "./measure-logins.ts";
import { measureReports, type ReportFigures } from "./measure-reports.ts";
import { compareStreams, type StreamFigures } from "./measure-streams.ts";
import { compareGenerators, hasWrk, type WrkFigures } from "./measure-wrk.ts";
import { canReadUsage } from "./read-usage.ts";
import { type BenchContext, startUpstream, withSides } from "./start-sides.ts";

/** The results of one row. */
export type Row =
  | { name: LoadRowName; load: Comparison<LoadFigures> }
  | { name: "dialects"; dialects: readonly DialectFigures[] }
  | { name: "logins"; logins: LoginComparison }
  | { name: "wrk-64"; wrk: WrkFigures }
  | { name: "flood"; floods: readonly FloodFigures[] }
  | { name: "cells"; cells: CellFigures }
  | { name: "acquire"; acquisitions: readonly AcquisitionFigures[] }
  | { name: "reports"; reports: ReportFigures }
  | { name: "citus"; citus: readonly CitusFigures[] }
  | { name: StreamRowName; streams: Comparison<StreamFigures> }
  | { name: RowName; skipped: string };

type Run = {
  options: BenchOptions;
  context: BenchContext;
  postgres: RunningPostgres;
  postgresPid: number;
  keys: readonly string[];
  bill: Bill;
  /** Called with the rows so far, after each: a run that is cut off has not been for nothing. */
  onRows: (rows: readonly Row[]) => void;
};

const deltas = 20;
/**
 * A process compiles its hot code for the first ten thousand calls or so, and spends twice as much on
 * each of them; servers run for weeks.
 */
const warmUpSeconds = 12;
const warmUpStreamSeconds = 2;
const coldKeys = 100_000;
const filledRequests = 1_000_000;

export async function measureRows(run: Run): Promise<readonly Row[]> {
  const { rows } = run.options;
  const measured: Row[] = [];
  const add = (row: Row) => {
    measured.push(row);
    run.onRows(measured);
  };
  const isLast = (name: RowName) => name === "million-64";
  const isOfStreams = (name: RowName): name is StreamRowName => name.startsWith("streams-");
  const isShort = (name: RowName) =>
    !isOfStreams(name) && !isLast(name) && !namedRows.includes(name);
  await measureShort(run, rows.filter(isShort), add);
  for (const name of rows.filter(isOfStreams)) {
    if (canReadUsage) add(await measureStreamRow(run, name));
    else add({ name, skipped: "only Linux reports what another process uses" });
  }
  if (rows.includes("flood")) add(await measureFloodRow(run));
  if (rows.includes("cells")) {
    say("cells");
    add({ name: "cells", cells: await measureCells({ ...run.context, bill: run.bill }) });
  }
  if (rows.includes("acquire")) {
    say("acquire");
    add({ name: "acquire", acquisitions: await measureAcquisitions(run.postgres.ownerUrl) });
  }
  if (rows.includes("reports")) {
    say("reports");
    const { calls } = run.options;
    add({ name: "reports", reports: await measureReports(run.postgres.ownerUrl, calls) });
  }
  if (rows.includes("citus")) add(await measureCitusRow(run));
  if (rows.some(isLast)) {
    say("a million request rows");
    await fillRequests(run.postgres.ownerUrl, filledRequests);
    // Peers have no database that could be full.
    const context = { ...run.context, peers: [] };
    await measureShort({ ...run, context }, ["million-64"], add);
  }
  return measured;
}

async function measureShort(
  run: Run,
  names: readonly RowName[],
  add: (row: Row) => void,
): Promise<void> {
  if (names.length === 0) return;
  const { context, keys, bill, postgresPid } = run;
  const upstream = await startUpstream(deltas, 0);
  try {
    const rows = names.filter((name) => name !== "wrk-64");
    if (rows.length > 0) {
      await withSides(context, upstream, async (sides) => {
        const loadContext = { keys, upstreamPid: upstream.pid, postgresPid, deltas, bill };
        const warm = await warmUp({ ...loadContext, sides }, context, warmUpConnections(rows));
        for (const name of rows) {
          add(await measureShortRow(run, name, warm, portOf(upstream.url)));
        }
      });
    }
    if (names.includes("wrk-64")) {
      say("wrk-64");
      const { seconds } = run.options;
      if (hasWrk()) {
        const wrk = await compareGenerators(context, upstream, seconds);
        add({ name: "wrk-64", wrk });
      } else add({ name: "wrk-64", skipped: "wrk is not installed" });
    }
  } finally {
    await upstream.kill();
  }
}

/** Rows with a single connection need no more: a busy machine would shed the rest. */
function warmUpConnections(rows: readonly RowName[]): number {
  return rows.every((name) => name === "first-byte" || name === "dialects") ? 1 : 64;
}

/** A peer that fails is left out; one that fails only with streams fails in their rows. */
async function warmUp(
  loadContext: LoadContext,
  { onSkip }: BenchContext,
  connections: number,
): Promise<LoadContext> {
  say("warm-up");
  const warm: LoadContext["sides"][number][] = [];
  for (const side of loadContext.sides) {
    try {
      await sendLoadTo(loadContext, side, { connections, seconds: warmUpSeconds, stream: false });
      warm.push(side);
      await sendLoadTo(loadContext, side, {
        connections,
        seconds: warmUpStreamSeconds,
        stream: true,
      });
    } catch (error) {
      const why = failureOfPeer(side, error);
      if (!warm.includes(side)) onSkip(side.title, why);
    }
  }
  return { ...loadContext, sides: warm };
}

async function measureShortRow(
  run: Run,
  name: RowName,
  loadContext: LoadContext,
  upstreamPort: number,
): Promise<Row> {
  const { postgres, options } = run;
  const { seconds } = options;
  say(name);
  if (name === "logins") {
    return { name, logins: await compareLogins(loadContext, postgres.ownerUrl, seconds) };
  }
  if (name === "dialects") {
    return { name, dialects: await compareDialects(loadContext, upstreamPort, seconds) };
  }
  if (!isLoadRow(name)) throw new Error(`${name} is not a row of calls`);
  return { name, load: await measureLoad(run, name, loadContext) };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function isLoadRow(name: RowName): name is LoadRowName {
  return (
    name !== "dialects" &&
    name !== "logins" &&
    name !== "wrk-64" &&
    name !== "flood" &&
    name !== "cells" &&
    name !== "acquire" &&
    name !== "reports" &&
    name !== "citus" &&
    !name.startsWith("streams-")
  );
}

async function measureLoad(run: Run, name: LoadRowName, loadContext: LoadContext) {
  const { seconds } = run.options;
  if (name === "first-byte")
    return compareLoad(loadContext, { connections: 1, seconds, stream: true });
  if (name === "prompt-1mb") {
    return compareLoad(loadContext, { connections: 4, seconds, stream: false, long: true });
  }
  if (name === "cold-keys") {
    // Peers have no caller keys; for them this would repeat the row with 64 connections.
    const sides = loadContext.sides.filter((side) => side.bills || side.name === "bare");
    const nextKey = await fundColdKeys(run.postgres.ownerUrl, coldKeys);
    return compareLoad(
      { ...loadContext, sides },
      { connections: 64, seconds, stream: false, nextKey },
    );
  }
  const connections = Number(name.split("-")[1]);
  const keys = name === "hot-64" ? loadContext.keys.slice(0, 1) : loadContext.keys;
  return compareLoad({ ...loadContext, keys }, { connections, seconds, stream: false });
}

async function measureStreamRow(run: Run, name: StreamRowName): Promise<Row> {
  say(name);
  const { options, context, keys, bill } = run;
  const streams = options.streams ?? Number(name.split("-")[1]);
  const load = { keys, streams, seconds: options.seconds };
  return { name, streams: await compareStreams(context, load, bill) };
}

async function measureFloodRow({ options, context, keys, bill }: Run): Promise<Row> {
  const floods: FloodFigures[] = [];
  for (const shape of floodShapes) {
    say(`flood: ${shape.title}`);
    floods.push(await measureFlood(context, shape, { keys, seconds: options.seconds }, bill));
  }
  return { name: "flood", floods };
}

async function measureCitusRow({ options, context }: Run): Promise<Row> {
  const binaries = findCitus();
  if (binaries === undefined) return { name: "citus", skipped: citusMissing };
  say("citus");
  const { seconds, calls } = options;
  const few = { seconds, calls: Math.ceil(calls / 10) };
  return { name: "citus", citus: await measureCitus(binaries, context, few) };
}

export function say(row: string): void {
  console.error(`... ${row}`);
}
