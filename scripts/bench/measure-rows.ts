// The rows of the table, one stage after the other: a row that fails does not keep the others from being
// measured.
import { citusMissing, findCitus } from "../citus/find-citus.ts";
import { namedRows, type RowName, type StreamRowName } from "./bench-options.ts";
import { messageOf } from "./count-failures.ts";
import { fillRequests } from "./fill-requests.ts";
import { measureAcquisitions } from "./measure-acquisitions.ts";
import { measureCells } from "./measure-cells.ts";
import { measureCitus } from "./measure-citus.ts";
import { type FloodFigures, floodShapes, measureFlood } from "./measure-flood.ts";
import { measureReports } from "./measure-reports.ts";
import { measureShortRows, type Run, say } from "./measure-short-rows.ts";
import { compareStreams } from "./measure-streams.ts";
import { canReadUsage } from "./read-usage.ts";

type Stage = { rows: readonly RowName[]; measure: () => Promise<void> };

const filledRequests = 1_000_000;

export async function measureRows(run: Run): Promise<void> {
  for (const { rows, measure } of stagesOf(run)) await run.record.attempt(rows, measure);
}

function stagesOf(run: Run): readonly Stage[] {
  const { context, postgres, record, options } = run;
  const only = (...names: readonly RowName[]) => options.rows.filter((row) => names.includes(row));
  const isOfStreams = (name: RowName): name is StreamRowName => name.startsWith("streams-");
  const short = options.rows.filter(
    (name) => !isOfStreams(name) && name !== "million-64" && !namedRows.includes(name),
  );
  return [
    { rows: short, measure: () => measureShortRows(run, short) },
    ...options.rows.filter(isOfStreams).map((name) => ({
      rows: [name],
      measure: () => measureStreamRow(run, name),
    })),
    { rows: only("flood"), measure: () => measureFloodRow(run) },
    {
      rows: only("cells"),
      async measure() {
        say("cells");
        record.add({ name: "cells", cells: await measureCells({ ...context, bill: run.bill }) });
      },
    },
    {
      rows: only("acquire"),
      async measure() {
        say("acquire");
        record.add({ name: "acquire", acquisitions: await measureAcquisitions(postgres.ownerUrl) });
      },
    },
    {
      rows: only("reports"),
      async measure() {
        say("reports");
        const reports = await measureReports(postgres.ownerUrl, options.calls);
        record.add({ name: "reports", reports });
      },
    },
    { rows: only("citus"), measure: () => measureCitusRow(run) },
    { rows: only("million-64"), measure: () => measureMillion(run) },
  ];
}

async function measureMillion(run: Run): Promise<void> {
  say("a million request rows");
  await fillRequests(run.postgres.ownerUrl, filledRequests);
  // Peers have no database that could be full, and that of the side before is not filled.
  const context = { ...run.context, peers: [], before: undefined };
  await measureShortRows({ ...run, context }, ["million-64"]);
}

async function measureStreamRow(run: Run, name: StreamRowName): Promise<void> {
  const { options, context, keys, bill, record } = run;
  if (!canReadUsage) {
    record.add({ name, skipped: "only Linux reports what another process uses" });
    return;
  }
  say(name);
  const streams = options.streams ?? Number(name.split("-")[1]);
  const load = { keys, streams, seconds: options.seconds };
  record.add({ name, streams: await compareStreams(context, load, bill) });
}

async function measureFloodRow({ options, context, keys, bill, record }: Run): Promise<void> {
  const floods: FloodFigures[] = [];
  const failures: string[] = [];
  for (const shape of floodShapes) {
    say(`flood: ${shape.title}`);
    try {
      floods.push(await measureFlood(context, shape, { keys, seconds: options.seconds }, bill));
    } catch (error) {
      failures.push(`${shape.title}: ${messageOf(error)}`);
    }
  }
  if (floods.length === 0) throw new Error(failures.join("; "));
  record.add({ name: "flood", floods, failures });
}

async function measureCitusRow({ options, context, record }: Run): Promise<void> {
  const binaries = findCitus();
  if (binaries === undefined) {
    record.add({ name: "citus", skipped: citusMissing });
    return;
  }
  say("citus");
  const { seconds, calls } = options;
  const few = { seconds, calls: Math.ceil(calls / 10) };
  const comparison = await measureCitus(binaries, context, few);
  if (comparison.citus.length === 0) throw new Error(comparison.failures.join("; "));
  record.add({ name: "citus", ...comparison });
}
