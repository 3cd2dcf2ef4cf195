// What of a run failed, a sentence each: whole rows, single sides, and the few calls of a row whose figures
// are those of the others.
import type { RowName, SideName } from "./bench-options.ts";
import type { CitusComparison } from "./measure-citus.ts";
import type { Comparison } from "./measure-load.ts";
import type { ReportFigures } from "./measure-reports.ts";
import type { Measured, Row } from "./record-run.ts";

type Failure = { text: string; isOurs: boolean };
type Side = Comparison<object>[number];

/** Whether the run must not pass. A peer may fail, which the table shows; Turnpike and the bare proxy may not. */
export function hasFailed({ rows, problems, books }: Measured): boolean {
  const isProven = "proven" in books && books.proven;
  const failures = rows.flatMap(failuresOf);
  return !isProven || problems.length > 0 || failures.some(({ isOurs }) => isOurs);
}

/** One of ours that was not among `failed` before could not be measured; few failed calls do not count. */
export function lacksOurFigures(row: Row, failed: readonly SideName[]): boolean {
  if ("failed" in row) return !failed.includes("turnpike");
  if (!("load" in row)) return false;
  return row.load.some(
    ({ side, figures }) => isOurs(side) && "failed" in figures && !failed.includes(side),
  );
}

function isOurs(side: SideName): boolean {
  return side === "bare" || side.startsWith("turnpike");
}

export function failuresOf(row: Row): readonly Failure[] {
  const ours = (text: string): Failure => ({ text, isOurs: true });
  if ("failed" in row) return [ours(`Row ${row.name} failed: ${row.failed}`)];
  if ("load" in row) return row.load.flatMap((side) => failuresOfSide(row.name, side));
  if ("streams" in row) return row.streams.flatMap((side) => failuresOfSide(row.name, side));
  if ("logins" in row) {
    const { failures } = row.logins;
    return failures === undefined ? [] : [ours(`Turnpike in logins: ${failures}`)];
  }
  if ("floods" in row) {
    const broken = row.floods.flatMap(({ title, failures }) =>
      failures === undefined ? [] : [{ text: `Flood of ${title}: ${failures}`, isOurs: false }],
    );
    return [...row.failures.map((why) => ours(`Flood of ${why}`)), ...broken];
  }
  if ("reports" in row) return failuresOfPages("reports", row.reports).map(ours);
  if ("citus" in row) return failuresOfCitus(row).map(ours);
  return [];
}

function failuresOfSide(name: RowName, { side, title, figures, failures }: Side): Failure[] {
  if ("failed" in figures) {
    return [{ text: `${title} failed in ${name}: ${figures.failed}`, isOurs: isOurs(side) }];
  }
  if (failures === undefined) return [];
  const text = `${title} in ${name}: ${failures}; the figures are those of the others`;
  return [{ text, isOurs: isOurs(side) }];
}

function failuresOfPages(where: string, { pages, desk }: ReportFigures): string[] {
  return [...pages, ...desk].flatMap((page) =>
    "failed" in page ? [`Page ${page.page} failed in ${where}: ${page.failed}`] : [],
  );
}

function failuresOfCitus({ citus, failures }: CitusComparison): string[] {
  const sites = citus.flatMap(({ title, proven, reports, failures: few }) => [
    ...(proven ? [] : [`The books of ${title} are wrong`]),
    ...(few === undefined ? [] : [`Citus with ${title}: ${few}`]),
    ...failuresOfPages(`citus with ${title}`, reports),
  ]);
  return [...failures.map((why) => `Citus failed with ${why}`), ...sites];
}
