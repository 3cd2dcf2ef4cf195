// Calls and pages on one server and on Citus clusters, as tables with a column each.
import type { CitusFigures } from "./measure-citus.ts";
import type { Row } from "./record-run.ts";
import { figureOf } from "./report-pages.ts";

export function reportCitus(row: Row): string[] {
  if (!("citus" in row)) return [];
  const line = (title: string, cells: readonly string[]) => `| ${[title, ...cells].join(" | ")} |`;
  const of = (title: string, read: (figures: CitusFigures) => string) =>
    line(title, row.citus.map(read));
  const [first] = row.citus;
  const pages = first?.reports.pages ?? [];
  return [
    "",
    of("", ({ title }) => title),
    of("---", () => "---:"),
    of("calls/s", ({ callsPerSecond }) => callsPerSecond.toFixed(0)),
    of("p50, ms", ({ p50Ms }) => p50Ms.toFixed(1)),
    of("CPU of the coordinator for a call, µs", (each) => each.coordinatorCpu.toFixed(0)),
    of("CPU of the workers for a call, µs", (each) => each.workersCpu.toFixed(0)),
    of("books", ({ proven }) => (proven ? "proven" : "WRONG")),
    of("adding up all calls, s", ({ reports }) => reports.rollUpSeconds.toFixed(1)),
    ...pages.map(({ page }, index) =>
      of(`${page}, p95 ms`, ({ reports }) => figureOf(reports.pages[index], "p95Ms")),
    ),
    "",
    `The pages are of an account with ${first?.reports.calls} calls.`,
  ];
}
