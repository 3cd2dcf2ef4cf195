// Rows of short calls, which share processes that are warmed up once. After a row in which one of ours
// failed, the rows that are left get new processes: the old ones may have crashed.
import type { SpawnedServer } from "@turnpike/testing";
import type { RunningPostgres } from "../postgres/start-postgres.ts";
import type { BenchOptions, LoadRowName, RowName } from "./bench-options.ts";
import type { Bill } from "./bill.ts";
import { lacksOurFigures } from "./find-failures.ts";
import { fundColdKeys } from "./fund-cold-keys.ts";
import { compareDialects } from "./measure-dialects.ts";
import { compareLoad, describeFailure, type LoadContext, sendLoadTo } from "./measure-load.ts";
import { compareLogins } from "./measure-logins.ts";
import { compareGenerators, hasWrk } from "./measure-wrk.ts";
import type { Row, RunRecord } from "./record-run.ts";
import { type BenchContext, type Side, startUpstream, withSides } from "./start-sides.ts";

export type Run = {
  options: BenchOptions;
  context: BenchContext;
  postgres: RunningPostgres;
  postgresPid: number;
  keys: readonly string[];
  bill: Bill;
  record: RunRecord;
};

const deltas = 20;
/**
 * A process compiles its hot code for the first ten thousand calls or so, and spends twice as much on
 * each of them; servers run for weeks.
 */
const warmUpSeconds = 12;
const warmUpStreamSeconds = 2;
const coldKeys = 100_000;

export async function measureShortRows(run: Run, names: readonly RowName[]): Promise<void> {
  const { context, options, record } = run;
  const upstream = await startUpstream(deltas, 0);
  try {
    const rows = names.filter((name) => name !== "wrk-64");
    await record.attempt(rows, async () => {
      for (let left: readonly RowName[] = rows; left.length > 0 && !record.hasEnded; ) {
        left = await withSides(context, upstream, (sides) =>
          measureUntilFailure(run, left, sides, upstream),
        );
      }
    });
    if (!names.includes("wrk-64")) return;
    await record.attempt(["wrk-64"], async () => {
      say("wrk-64");
      if (hasWrk()) {
        const wrk = await compareGenerators(context, upstream, options.seconds);
        record.add({ name: "wrk-64", wrk });
      } else record.add({ name: "wrk-64", skipped: "wrk is not installed" });
    });
  } finally {
    await upstream.kill();
  }
}

/** Returns the rows that are left for new processes. */
async function measureUntilFailure(
  run: Run,
  names: readonly RowName[],
  sides: readonly Side[],
  upstream: SpawnedServer,
): Promise<readonly RowName[]> {
  const { context, keys, bill, postgresPid, record } = run;
  const loadContext = { sides, keys, upstreamPid: upstream.pid, postgresPid, deltas, bill };
  const warm = await warmUp(loadContext, context, warmUpConnections(names));
  // What could not be warmed up is not started again for it.
  const cold = warm.sides.filter(({ failed }) => failed !== undefined).map((side) => side.name);
  for (const [index, name] of names.entries()) {
    await record.attempt([name], async () => {
      record.add(await measureShortRow(run, name, warm, portOf(upstream.url)));
    });
    const row = record.last();
    if (row !== undefined && lacksOurFigures(row, cold)) return names.slice(index + 1);
  }
  return [];
}

/** Rows with a single connection need no more: a busy machine would shed the rest. */
function warmUpConnections(rows: readonly RowName[]): number {
  return rows.every((name) => name === "first-byte" || name === "dialects") ? 1 : 64;
}

/**
 * A peer that fails is left out, and a side of ours fails in every row; one that fails only with streams
 * fails in their rows.
 */
async function warmUp(
  loadContext: LoadContext,
  { onSkip }: BenchContext,
  connections: number,
): Promise<LoadContext> {
  say("warm-up");
  const warm: Side[] = [];
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
      if (warm.includes(side)) continue;
      const why = describeFailure(side, error);
      if (side.lastOutput === undefined) onSkip(side.title, why);
      else warm.push({ ...side, failed: `it could not be warmed up: ${why}` });
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
    const isOurs = ({ bills, keys, name: side }: Side) =>
      bills || keys !== undefined || side === "bare";
    const nextKey = await fundColdKeys(run.postgres.ownerUrl, coldKeys);
    const { before } = run.context;
    const nextKeyBefore =
      before === undefined ? nextKey : await fundColdKeys(before.ownerUrl, coldKeys);
    const nextKeyOf = (side: Side) => (side.keys === undefined ? nextKey : nextKeyBefore)();
    return compareLoad(
      { ...loadContext, sides: loadContext.sides.filter(isOurs) },
      { connections: 64, seconds, stream: false, nextKeyOf },
    );
  }
  const connections = Number(name.split("-")[1]);
  const keys = name === "hot-64" ? loadContext.keys.slice(0, 1) : loadContext.keys;
  return compareLoad({ ...loadContext, keys }, { connections, seconds, stream: false });
}

export function say(row: string): void {
  console.error(`... ${row}`);
}
