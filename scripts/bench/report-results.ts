// Turns the figures of a run into the tables that people read, on the terminal and in
// docs/benchmarks.md: the bare proxy's figures, and every other side as a ratio to it.
import type { LoadRowName, RowName, StreamRowName } from "./bench-options.ts";
import { type Aim, figuresOf } from "./compare-aims.ts";
import { failuresOf } from "./find-failures.ts";
import { ratioToLossless } from "./measure-dialects.ts";
import type { Comparison } from "./measure-load.ts";
import type { Latency } from "./measure-logins.ts";
import type { Measured, Row } from "./record-run.ts";
import { reportCells } from "./report-cells.ts";
import { reportCitus } from "./report-citus.ts";
import { reportFloods } from "./report-flood.ts";
import { reportPages } from "./report-pages.ts";
import { verdictOf } from "./verify-ledger.ts";

export type Results = Measured & { aims: readonly Aim[] };

const titles: Readonly<Record<LoadRowName | StreamRowName, string>> = {
  "whole-1": "whole answers, 1 connection",
  "whole-16": "whole answers, 16 connections",
  "whole-64": "whole answers, 64 connections",
  "whole-256": "whole answers, 256 connections",
  "hot-64": "64 connections, one account",
  "first-byte": "streamed answers, 1 connection",
  "prompt-1mb": "prompts of 1 MB, 4 connections",
  "cold-keys": "64 connections, 100,000 keys in turn",
  "million-64": "64 connections, 1,000,000 request rows",
  "streams-1000": "1,000 paced streams",
  "streams-5000": "5,000 paced streams",
};

/** In a cell of the table; below it the reason is in full. */
const reasonLengthMax = 60;

function titleOf(name: RowName): string {
  const title = Object.entries(titles).find(([each]) => each === name)?.[1];
  return title ?? name;
}

/** Everything, as Markdown. */
export function reportResults(results: Results): string {
  const { machine, walBytesPerCall } = results;
  const columns = columnsOf(results.rows);
  return [
    `${machine.cores} cores (${machine.processor}), ${machine.system}, Bun ${machine.bun}, PostgreSQL ${machine.postgres}`,
    `with fsync ${machine.fsync}, synchronous_commit ${machine.synchronousCommit}; one durable commit alone takes ${machine.commitMs.toFixed(2)} ms.`,
    `${results.seconds} s per side and row, ${results.accounts} accounts. The bare proxy in absolute figures, every other column as a ratio to it.`,
    "",
    table(
      ["", "", ...columns.map(({ title }) => title)],
      results.rows.flatMap((row) => reportRow(row, columns)),
    ),
    ...reportProcessors(results.rows),
    ...results.rows.flatMap(reportDialects),
    ...results.rows.flatMap(reportLogins),
    ...results.rows.flatMap(reportGenerators),
    ...results.rows.flatMap(reportHeaded),
    ...results.rows.flatMap(reportAcquisitions),
    ...results.rows.flatMap(reportPages),
    ...results.rows.flatMap(reportCitus),
    ...reportFailures(results),
    "",
    table(
      ["aim", "measured", "aimed at", ""],
      results.aims.map(({ name, measured, unit, aim, met }) => [
        name,
        `${measured.toFixed(2)}${unit}`,
        aim,
        met ? "met" : "missed",
      ]),
    ),
    "",
    ...reportBooks(results),
    ...(walBytesPerCall === undefined
      ? []
      : [`${walBytesPerCall.toFixed(0)} bytes of WAL a call.`]),
  ].join("\n");
}

function reportBooks({ books }: Results): string[] {
  if ("unverified" in books) return [`Books: NOT VERIFIED, because ${books.unverified}.`];
  return [
    `Books: ${books.calls} calls answered, ${books.settled} settled; their price ${books.expectedNanos} nano-dollars,`,
    `charged ${books.chargedNanos}, taken from the accounts ${books.spentNanos}, still held ${books.heldNanos};`,
    `the checker found ${books.violations} violations: ${verdictOf(books)}.`,
  ];
}

type Column = { side: string; title: string };

/** The sides that ran in any row, in the order of the longest row. */
function columnsOf(rows: readonly Row[]): readonly Column[] {
  const comparisons = rows.flatMap((row): readonly (readonly Column[])[] => {
    if ("load" in row) return [row.load];
    return "streams" in row ? [row.streams] : [];
  });
  const columns = comparisons.toSorted((a, b) => b.length - a.length)[0] ?? [];
  return columns.map(({ side, title }) => ({ side, title }));
}

function reportRow(row: Row, columns: readonly Column[]): string[][] {
  if ("failed" in row) {
    const reason = onOneLine(row.failed).replaceAll("|", "\\|");
    const short = reason.length > reasonLengthMax ? `${reason.slice(0, reasonLengthMax)}…` : reason;
    return [[titleOf(row.name), `failed: ${short}`, ...columns.map(() => "")]];
  }
  if ("streams" in row) {
    return reportFigures(titles[row.name], row.streams, columns, [
      ["events/s", 0, (figures) => figures.eventsPerSecond],
      ["CPU per event, µs", 1, (figures) => figures.cpuMicrosecondsPerEvent],
      ["memory per stream, kB", 1, (figures) => figures.bytesPerStream / 1024],
    ]);
  }
  if (!("load" in row)) return [];
  if (row.name === "first-byte") {
    return reportFigures(titles[row.name], row.load, columns, [
      ["p50 to the first byte, ms", 2, (figures) => figures.firstByteP50Ms],
    ]);
  }
  return reportFigures(titles[row.name], row.load, columns, [
    ["requests/s", 0, (figures) => figures.requestsPerSecond],
    ["p50, ms", 2, (figures) => figures.p50Ms],
    ["p99, ms", 2, (figures) => figures.p99Ms],
  ]);
}

type Line<Figures> = readonly [name: string, digits: number, read: (figures: Figures) => number];

function reportFigures<Figures extends object>(
  title: string,
  comparison: Comparison<Figures>,
  columns: readonly Column[],
  lines: readonly Line<Figures>[],
): string[][] {
  const bare = figuresOf(comparison, "bare");
  return lines.map(([name, digits, read], index) => [
    index === 0 ? title : "",
    name,
    ...columns.map(({ side }) => {
      const entry = comparison.find((each) => each.side === side);
      const figures = figuresOf(comparison, side);
      if (figures === undefined) return entry === undefined ? "" : "failed";
      if (side === "bare" || bare === undefined) return read(figures).toFixed(digits);
      return `${(read(figures) / read(bare)).toFixed(2)} ×`;
    }),
  ]);
}

/** Rows and sides that did not run, and what failed. */
function reportFailures({ rows, skipped, problems }: Results): string[] {
  const lines = [
    ...skipped.map(({ title, why }) => `${title} skipped: ${why}`),
    ...rows.flatMap((row) =>
      "skipped" in row
        ? [`Row ${row.name} skipped: ${row.skipped}.`]
        : failuresOf(row).map(({ text }) => text),
    ),
    ...problems.map((problem) => `Problem ${problem}`),
  ].map((text) => `- ${onOneLine(text)}`);
  return lines.length === 0 ? [] : ["", ...lines];
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function reportGenerators(row: Row): string[] {
  if (!("wrk" in row)) return [];
  return [
    "",
    table(
      ["requests/s at 64 connections, two generators", "ours", "wrk", "wrk / ours"],
      row.wrk.map(({ title, ours, wrk }) => [
        title,
        ours.toFixed(0),
        wrk.toFixed(0),
        (wrk / ours).toFixed(2),
      ]),
    ),
  ];
}

/** The first is lossless, the others are translated. */
function reportDialects(row: Row): string[] {
  if (!("dialects" in row)) return [];
  return [
    "",
    table(
      [
        "p50 to the first byte of a stream, ms",
        "upstream alone",
        "Turnpike",
        "added",
        "added / openai",
      ],
      row.dialects.map((figures) => [
        `chat completions over ${figures.dialect}`,
        figures.directP50Ms.toFixed(2),
        figures.firstByteP50Ms.toFixed(2),
        figures.addedMs.toFixed(2),
        `${ratioToLossless(row.dialects, figures).toFixed(2)} ×`,
      ]),
    ),
  ];
}

function reportHeaded(row: Row): string[] {
  if (!("floods" in row) && !("cells" in row)) return [];
  const [head = [], ...lines] = "floods" in row ? reportFloods(row.floods) : reportCells(row.cells);
  return ["", table(head, lines)];
}

function reportAcquisitions(row: Row): string[] {
  if (!("acquisitions" in row)) return [];
  const [first] = row.acquisitions;
  const ratio = (ms: number, of = Number.NaN) => `${ms.toFixed(2)} (${(ms / of).toFixed(2)} ×)`;
  return [
    "",
    table(
      ["p50 of acquire_leases, ms", "one call", "one call each of 64 accounts"],
      row.acquisitions.map(({ title, singleP50Ms, batchP50Ms }) => [
        title,
        ratio(singleP50Ms, first?.singleP50Ms),
        ratio(batchP50Ms, first?.batchP50Ms),
      ]),
    ),
  ];
}

/** Both columns are Turnpike: the effect of a flood of logins on concurrent calls. */
function reportLogins(row: Row): string[] {
  if (!("logins" in row)) return [];
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
function reportProcessors(rows: readonly Row[]): string[] {
  const row = rows.find((each) => each.name === "whole-64");
  if (row === undefined || !("load" in row)) return [];
  const lines = row.load.flatMap(({ title, figures }) => {
    if ("failed" in figures || figures.cpuMicroseconds === undefined) return [];
    const list = Object.entries(figures.cpuMicroseconds)
      .map(([name, microseconds]) => `${name} ${microseconds.toFixed(0)}`)
      .join(", ");
    return [`- ${title}: ${list}`];
  });
  if (lines.length === 0) {
    return ["", "CPU and memory rows skipped: only Linux reports what another process uses."];
  }
  return ["", "CPU of one request at 64 connections, in µs per process:", "", ...lines];
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  if (lines.length === 0) return "";
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  // In the formatter's layout, because it goes into a document.
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  const all = [head, rule, ...lines];
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((line) => `| ${line.map(pad).join(" | ")} |`).join("\n");
}
