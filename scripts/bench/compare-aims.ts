// The aims, as ratios of one run, with the measured values.
import type { Machine } from "./describe-machine.ts";
import { type DialectFigures, ratioToLossless } from "./measure-dialects.ts";
import type { Comparison, LoadFigures } from "./measure-load.ts";
import type { StreamFigures } from "./measure-streams.ts";
import type { Row } from "./record-run.ts";

export type Aim = { name: string; measured: number; unit: string; aim: string; met: boolean };

/** The figures of a side; undefined when it did not run or failed. */
export function figuresOf<Figures extends object>(
  comparison: Comparison<Figures>,
  side: string,
): Figures | undefined {
  const figures = comparison.find((each) => each.side === side)?.figures;
  return figures === undefined || "failed" in figures ? undefined : figures;
}

/** The aims whose figures were measured. */
export function compareAims(rows: readonly Row[], machine: Machine): readonly Aim[] {
  return rows.flatMap((row): Aim[] => {
    if ("dialects" in row) return compareDialects(row.dialects);
    if ("load" in row) return compareLoad(row.name, row.load, rows, machine);
    return "streams" in row && row.name === "streams-1000" ? compareStreams(row.streams) : [];
  });
}

function compareDialects(dialects: readonly DialectFigures[]): Aim[] {
  return dialects.slice(1).map((figures) => {
    const name = `first byte added over ${figures.dialect} / openai`;
    return atMost(name, ratioToLossless(dialects, figures), 1.5, " ×");
  });
}

function compareLoad(
  name: string,
  load: Comparison<LoadFigures>,
  rows: readonly Row[],
  { commitMs }: Machine,
): Aim[] {
  const bare = figuresOf(load, "bare");
  const turnpike = figuresOf(load, "turnpike");
  if (bare === undefined || turnpike === undefined) return [];
  const rate = turnpike.requestsPerSecond / bare.requestsPerSecond;
  if (name === "whole-1") {
    const added = turnpike.p50Ms - bare.p50Ms;
    const peer = figuresOf(load, "portkey-bun");
    return [
      atMost("p50 added at 1 connection", added, commitMs + 0.5, " ms"),
      ...(peer
        ? [atMost("p50 at 1 connection / portkey-bun", turnpike.p50Ms / peer.p50Ms, 1, " ×")]
        : []),
    ];
  }
  if (name === "whole-256") return [atLeast("requests/s at 256 connections", rate, 0.55)];
  if (name === "cold-keys") return [atLeast("requests/s with 100,000 keys in turn", rate, 0.2)];
  if (name === "million-64") {
    const before = rows.find((row) => row.name === "whole-64");
    const empty = before && "load" in before ? figuresOf(before.load, "turnpike") : undefined;
    if (empty === undefined) return [];
    const share = turnpike.requestsPerSecond / empty.requestsPerSecond;
    return [atLeast("requests/s with a million rows / without", share, 0.9)];
  }
  if (name !== "whole-64") return [];
  const peers = [
    ["portkey-bun", 1.5],
    ["gomodel", 1.7],
    ["portkey-node", 10],
    ["litellm", 40],
  ] as const;
  return [
    atLeast("requests/s at 64 connections", rate, 0.3),
    ...judgeCpu(bare, turnpike),
    ...peers.flatMap(([side, least]) => {
      const peer = figuresOf(load, side);
      if (peer === undefined) return [];
      const times = turnpike.requestsPerSecond / peer.requestsPerSecond;
      return [atLeast(`requests/s at 64 connections / ${side}`, times, least)];
    }),
  ];
}

function judgeCpu(bare: LoadFigures, turnpike: LoadFigures): Aim[] {
  const yardstick = bare.cpuMicroseconds?.bare;
  const own = turnpike.cpuMicroseconds?.turnpike;
  const postgres = turnpike.cpuMicroseconds?.postgres;
  if (yardstick === undefined || own === undefined || postgres === undefined) return [];
  return [
    atMost("PostgreSQL's CPU per call / the bare proxy's", postgres / yardstick, 1.2, " ×"),
    atMost("the gateway's CPU per call / the bare proxy's", own / yardstick, 3.5, " ×"),
  ];
}

function compareStreams(streams: Comparison<StreamFigures>): Aim[] {
  const bare = figuresOf(streams, "bare");
  const turnpike = figuresOf(streams, "turnpike");
  if (bare === undefined || turnpike === undefined) return [];
  const cpu = turnpike.cpuMicrosecondsPerEvent / bare.cpuMicrosecondsPerEvent;
  return [
    atMost("CPU per streamed event", cpu, 1.5, " ×"),
    atMost("memory per open stream", turnpike.bytesPerStream / 1024, 36, " kB"),
  ];
}

function atLeast(name: string, measured: number, least: number): Aim {
  return { name, measured, unit: " ×", aim: `≥ ${least} ×`, met: measured >= least };
}

function atMost(name: string, measured: number, most: number, unit: string): Aim {
  const aim = `≤ ${Number(most.toFixed(2))}${unit}`;
  return { name, measured, unit, aim, met: measured <= most };
}
