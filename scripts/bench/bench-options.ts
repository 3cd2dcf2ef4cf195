// What the command line may change about a run of the benchmark. Built-in modules only: it is read
// before anything is installed.
import { parseArgs } from "node:util";

/** In the order in which they run. */
export const rowNames = [
  "whole-1",
  "whole-16",
  "whole-64",
  "whole-256",
  "hot-64",
  "first-byte",
  "logins",
  "streams",
] as const;

export type RowName = (typeof rowNames)[number];
/** A row of calls as fast as they go. */
export type LoadRowName = Exclude<RowName, "logins" | "streams">;

export type BenchOptions = {
  rows: readonly RowName[];
  /** Measured time per side and row, in slices that take turns. */
  seconds: number;
  /** Streams open at once in the row `streams`. */
  streams: number;
  json: string | undefined;
  /** Rewrite the figures in docs/benchmarks.md. */
  write: boolean;
  /** Where Turnpike's CPU profiles go; profiling slows it down. */
  profile: string | undefined;
};

export const usage = `usage: bun run bench [--rows A,B] [--seconds 5] [--streams 1000] [--json FILE]
                     [--write] [--profile FOLDER]
rows: ${rowNames.join(" ")}`;

/** The options, or one sentence that says what is wrong. */
export function readBenchOptions(words: readonly string[]): BenchOptions | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        rows: { type: "string", default: rowNames.join(",") },
        seconds: { type: "string", default: "5" },
        streams: { type: "string", default: "1000" },
        json: { type: "string" },
        write: { type: "boolean", default: false },
        profile: { type: "string" },
      },
    });
    const wanted = values.rows.split(",");
    const unknown = wanted.find((name) => !rowNames.some((known) => known === name));
    if (unknown !== undefined) return `There is no row "${unknown}".`;
    const seconds = Number(values.seconds);
    if (!(seconds > 0)) return `--seconds ${values.seconds} is no number above 0.`;
    const streams = Number(values.streams);
    if (!Number.isInteger(streams) || streams < 1)
      return `--streams ${values.streams} is no count.`;
    const { json, write, profile } = values;
    const rows = rowNames.filter((name) => wanted.includes(name));
    return { rows, seconds, streams, json, write, profile };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
