// What the command line may change about a run of the benchmark. Built-in modules only: it is read
// before anything is installed.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { peerNames } from "./peer-versions.ts";
import { type PeerPrograms, readPeerPrograms } from "./read-peer-programs.ts";

/** In the order in which they run. */
export const rowNames = [
  "whole-1",
  "whole-16",
  "whole-64",
  "whole-256",
  "hot-64",
  "first-byte",
  "dialects",
  "prompt-1mb",
  "cold-keys",
  "logins",
  "wrk-64",
  "streams-1000",
  "streams-5000",
  "million-64",
  "flood",
  "cells",
  "acquire",
  "reports",
  "citus",
] as const;

export type RowName = (typeof rowNames)[number];
export type StreamRowName = "streams-1000" | "streams-5000";
/** A row of calls as fast as they go. */
export type LoadRowName = Exclude<
  RowName,
  | "dialects"
  | "logins"
  | "wrk-64"
  | "flood"
  | "cells"
  | "acquire"
  | "reports"
  | "citus"
  | StreamRowName
>;

/** Each of these has its own section in docs/benchmarks.md, so it runs only if it is named. */
export const namedRows: readonly RowName[] = ["flood", "cells", "acquire", "reports", "citus"];
const isUsual = (name: RowName) => !namedRows.includes(name);

/** In the order of the table's columns; the first is what the others are divided by. */
export const sideNames = [
  "bare",
  "floor",
  "before",
  "turnpike",
  "turnpike-2",
  ...peerNames,
] as const;

export type SideName = (typeof sideNames)[number];

/** The other one is measured only with the checkout that it is. */
const isUsualSide = (name: SideName) => name !== "before";

export type BenchOptions = {
  rows: readonly RowName[];
  /** Always with `bare` and `turnpike`. */
  sides: readonly SideName[];
  /** Install peers that are missing in the cache folder. */
  peers: boolean;
  /** Peers that are started from these paths, without being installed. */
  peerPrograms: PeerPrograms;
  /** A checkout of Turnpike that is the side `before`, with a database of its own; it has its packages installed. */
  before: string | undefined;
  /** Measured time per side and row, in slices that take turns. */
  seconds: number;
  /** Concurrent streams in rows of streams, instead of the number in their name. */
  streams: number | undefined;
  /** Calls of the account whose pages the row `reports` reads; `citus` has a tenth of them. */
  calls: number;
  json: string | undefined;
  /** Rewrite the figures in docs/benchmarks.md. */
  write: boolean;
  /** The folder for Turnpike's CPU profiles; profiling slows it down. */
  profile: string | undefined;
};

export const usage = `usage: bun run bench [--rows A,B] [--sides A,B] [--peers] [--peer NAME=PATH]... [--seconds 5]
                     [--streams N] [--calls 10000000] [--json FILE] [--write] [--profile FOLDER]
                     [--before CHECKOUT]
rows:  ${rowNames.join(" ")}
sides: ${sideNames.filter(isUsualSide).join(" ")}
peers: ${peerNames.join(" ")}
flood, cells, acquire, reports and citus run only where they are named; --peers installs other gateways into a cache folder outside the repository;
--peer gives the program of one, so that it is not installed
--before measures the Turnpike of another checkout beside this one`;

/** The options, or a message that says what is wrong. */
export function readBenchOptions(words: readonly string[]): BenchOptions | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        rows: { type: "string", default: rowNames.filter(isUsual).join(",") },
        sides: { type: "string", default: sideNames.filter(isUsualSide).join(",") },
        peers: { type: "boolean", default: false },
        peer: { type: "string", multiple: true, default: [] },
        before: { type: "string" },
        seconds: { type: "string", default: "5" },
        streams: { type: "string" },
        calls: { type: "string", default: "10000000" },
        json: { type: "string" },
        write: { type: "boolean", default: false },
        profile: { type: "string" },
      },
    });
    const rows = choose(rowNames, values.rows);
    if (typeof rows === "string") return `There is no row "${rows}".`;
    const chosen = choose(sideNames, values.sides);
    if (typeof chosen === "string") return `There is no side "${chosen}".`;
    const before = values.before === undefined ? undefined : resolve(values.before);
    if (before !== undefined && !existsSync(join(before, "node_modules"))) {
      return `--before ${values.before} is not a checkout with installed packages.`;
    }
    if (before === undefined && chosen.includes("before")) {
      return "--sides names before, which needs --before CHECKOUT.";
    }
    if (before !== undefined && values.write) {
      return "--write keeps the figures of this checkout alone: leave out --before.";
    }
    const sides = sideNames.filter((name) => {
      if (name === "before") return before !== undefined;
      return name === "bare" || name === "turnpike" || chosen.includes(name);
    });
    const peerPrograms = readPeerPrograms(values.peer);
    if (typeof peerPrograms === "string") return peerPrograms;
    const unused = peerNames.find((name) => peerPrograms.has(name) && !sides.includes(name));
    if (unused !== undefined) return `--sides leaves out ${unused}, whose program --peer gives.`;
    const seconds = Number(values.seconds);
    if (!(seconds > 0)) return `--seconds ${values.seconds} is not a number above 0.`;
    const streams = values.streams === undefined ? undefined : Number(values.streams);
    if (streams !== undefined && !(Number.isInteger(streams) && streams > 0)) {
      return `--streams ${values.streams} is not a count.`;
    }
    const calls = Number(values.calls);
    if (!(Number.isInteger(calls) && calls > 0)) return `--calls ${values.calls} is not a count.`;
    const { peers, json, write, profile } = values;
    return {
      rows,
      sides,
      peers,
      peerPrograms,
      before,
      seconds,
      streams,
      calls,
      json,
      write,
      profile,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The known names in `text`, in their own order; or the first unknown one as a string. */
function choose<Name extends string>(
  known: readonly Name[],
  text: string,
): readonly Name[] | string {
  const wanted = text.split(",");
  const unknown = wanted.find((name) => !known.some((each) => each === name));
  return unknown ?? known.filter((name) => wanted.includes(name));
}
