// Turns the figures of a run into the tables that people read, on the terminal and in
// docs/benchmarks.md, and holds the ratios beside what is aimed at.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LoadRowName, RowName } from "./bench-options.ts";
import type { Machine } from "./describe-machine.ts";
import type { Comparison } from "./measure-load.ts";
import type { Latency, LoginComparison } from "./measure-logins.ts";
import type { StreamComparison } from "./measure-streams.ts";
import type { Books } from "./prove-books.ts";

export type Row =
  | { name: LoadRowName; load: Comparison }
  | { name: "logins"; logins: LoginComparison }
  | { name: "streams"; streams: StreamComparison };

export type Aim = { name: string; measured: number; unit: string; aim: string; met: boolean };

export type Results = {
  machine: Machine;
  seconds: number;
  streams: number;
  accounts: number;
  rows: readonly Row[];
  books: Books;
  aims: readonly Aim[];
};

const titles: Readonly<Record<Exclude<RowName, "logins">, string>> = {
  "whole-1": "whole answers, 1 connection",
  "whole-16": "whole answers, 16 connections",
  "whole-64": "whole answers, 64 connections",
  "whole-256": "whole answers, 256 connections",
  "hot-64": "whole answers, 64 connections, one account",
  "first-byte": "streamed answers, 1 connection",
  streams: "paced streams",
};

/** The figures that have an aim, for the rows that ran. */
export function judge(rows: readonly Row[]): readonly Aim[] {
  return rows.flatMap((row): Aim[] => {
    if (row.name === "streams") return judgeStreams(row.streams);
    if (row.name === "logins") return [];
    const { bare, turnpike } = row.load;
    const rate = turnpike.requestsPerSecond / bare.requestsPerSecond;
    if (row.name === "whole-64") return [atLeast("requests/s at 64 connections", rate, 0.35)];
    if (row.name === "whole-256") return [atLeast("requests/s at 256 connections", rate, 0.5)];
    if (row.name !== "whole-1") return [];
    return [atMost("added p50 at 1 connection", turnpike.p50Ms - bare.p50Ms, 1.5, " ms")];
  });
}

function judgeStreams({ bare, turnpike }: StreamComparison): Aim[] {
  const cpu = turnpike.cpuMicrosecondsPerEvent / bare.cpuMicrosecondsPerEvent;
  return [
    atMost("CPU per relayed event", cpu, 1.5, " ×"),
    atMost("memory per open stream", turnpike.bytesPerStream / 1024, 64, " kB"),
  ];
}

function atLeast(name: string, measured: number, least: number): Aim {
  return { name, measured, unit: " ×", aim: `≥ ${least} ×`, met: measured >= least };
}

function atMost(name: string, measured: number, most: number, unit: string): Aim {
  return { name, measured, unit, aim: `≤ ${most}${unit}`, met: measured <= most };
}

/** Everything, as Markdown. */
export function tell(results: Results): string {
  const { machine, books } = results;
  return [
    `${machine.cores} cores (${machine.processor}), ${machine.system}, Bun ${machine.bun}, PostgreSQL ${machine.postgres}`,
    `with fsync ${machine.fsync}, synchronous_commit ${machine.synchronousCommit}; one durable commit alone takes ${machine.commitMs.toFixed(2)} ms.`,
    "",
    table(["", "", "bare proxy", "Turnpike", "Turnpike / bare"], results.rows.flatMap(tellRow)),
    ...tellProcessors(results.rows),
    ...results.rows.flatMap(tellLogins),
    "",
    table(
      ["Turnpike beside the bare proxy", "measured", "aim", ""],
      results.aims.map(({ name, measured, unit, aim, met }) => [
        name,
        `${measured.toFixed(2)}${unit}`,
        aim,
        met ? "met" : "missed",
      ]),
    ),
    "",
    `Books: ${books.calls} calls answered, ${books.settled} settled; their price ${books.expectedNanos} nano-dollars,`,
    `charged ${books.chargedNanos}, taken from the accounts ${books.spentNanos}, still held ${books.heldNanos};`,
    `the checker found ${books.violations} violations: ${books.proven ? "proven" : "WRONG"}.`,
  ].join("\n");
}

function tellRow(row: Row): string[][] {
  if (row.name === "logins") return [];
  const line = (title: string, name: string, bare: number, turnpike: number, digits: number) => [
    title,
    name,
    bare.toFixed(digits),
    turnpike.toFixed(digits),
    (turnpike / bare).toFixed(2),
  ];
  const title = titles[row.name];
  if (row.name === "streams") {
    const { bare, turnpike } = row.streams;
    const kilobytes = (bytes: number) => bytes / 1024;
    const { cpuMicrosecondsPerEvent: cpu } = bare;
    return [
      line(title, "events/s", bare.eventsPerSecond, turnpike.eventsPerSecond, 0),
      line("", "CPU per event, µs", cpu, turnpike.cpuMicrosecondsPerEvent, 1),
      line(
        "",
        "memory per stream, kB",
        kilobytes(bare.bytesPerStream),
        kilobytes(turnpike.bytesPerStream),
        1,
      ),
    ];
  }
  const { bare, turnpike } = row.load;
  if (row.name === "first-byte") {
    return [
      line(title, "p50 to the first byte, ms", bare.firstByteP50Ms, turnpike.firstByteP50Ms, 2),
    ];
  }
  return [
    line(title, "requests/s", bare.requestsPerSecond, turnpike.requestsPerSecond, 0),
    line("", "p50, ms", bare.p50Ms, turnpike.p50Ms, 2),
    line("", "p99, ms", bare.p99Ms, turnpike.p99Ms, 2),
  ];
}

/** Both columns are Turnpike: what a flood of logins does to those who call meanwhile. */
function tellLogins(row: Row): string[] {
  if (row.name !== "logins") return [];
  const { alone, besideLogins, logins, atOnce, loginsPerSecond } = row.logins;
  const line = (title: string, name: keyof Latency, digits: number) => [
    title,
    alone[name].toFixed(digits),
    besideLogins[name].toFixed(digits),
    (besideLogins[name] / alone[name]).toFixed(2),
  ];
  return [
    "",
    table(
      [
        "Turnpike, whole answers, 16 connections",
        "alone",
        `while ${logins} logins are hashed`,
        "beside logins / alone",
      ],
      [
        line("requests/s", "requestsPerSecond", 0),
        line("p50, ms", "p50Ms", 2),
        line("p99, ms", "p99Ms", 2),
      ],
    ),
    "",
    `The logins took ${(logins / loginsPerSecond).toFixed(1)} s, ${loginsPerSecond.toFixed(0)} a second, ${atOnce} under way at any time; the throttles were raised for them.`,
  ];
}

/** Where the time of the cores went: neither the load nor the upstream may be the limit. */
function tellProcessors(rows: readonly Row[]): string[] {
  const row = rows.find((each) => each.name === "whole-64");
  if (row?.name !== "whole-64") return [];
  const { bare, turnpike } = row.load;
  if (bare.cpuMicroseconds === undefined || turnpike.cpuMicroseconds === undefined) {
    return ["", "CPU and memory rows skipped: only Linux tells what another process uses."];
  }
  const list = (cpu: Record<string, number>) =>
    Object.entries(cpu)
      .map(([name, microseconds]) => `${name} ${microseconds.toFixed(0)}`)
      .join(", ");
  return [
    "",
    "CPU of one request at 64 connections, in µs per process:",
    `${list(bare.cpuMicroseconds)}; ${list(turnpike.cpuMicroseconds)}.`,
  ];
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  if (lines.length === 0) return "";
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  // As the formatter writes it, because it goes into a document.
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const all = [head, rule, ...lines];
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((line) => `| ${line.map(pad).join(" | ")} |`).join("\n");
}

const documentPath = join(dirname(dirname(import.meta.dirname)), "docs/benchmarks.md");
const marked = /(<!-- figures: begin[^\n]*-->\n)[\s\S]*(\n<!-- figures: end -->)/;

/** Replaces the figures in docs/benchmarks.md by those of this run. */
export function writeDocument(results: Results): void {
  const text = readFileSync(documentPath, "utf8");
  if (!marked.test(text)) throw new Error("docs/benchmarks.md has lost the marks of its figures");
  writeFileSync(
    documentPath,
    text.replace(marked, (_, begin: string, end: string) => `${begin}\n${tell(results)}\n${end}`),
  );
}
