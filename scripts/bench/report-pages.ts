// The pages of an account with very many calls, as a table.
import type { PageFigures } from "./measure-reports.ts";
import type { Row } from "./record-run.ts";

const megabyte = 2 ** 20;

export function reportPages(row: Row): string[] {
  if (!("reports" in row)) return [];
  const { calls, pages, desk, accountBytes, rollUpSeconds, rolledRows, rolledBytes, requestBytes } =
    row.reports;
  const megabytes = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
  return [
    "",
    `${calls} calls of one account in ${megabytes(requestBytes)} of requests; added up in ${rollUpSeconds.toFixed(0)} s`,
    `to ${rolledRows} rows in ${megabytes(rolledBytes)}. An account without calls: ${Math.round(accountBytes)} bytes.`,
    "",
    ...reportTable("page", pages),
    "",
    ...reportTable("at the operators' desk", desk),
  ];
}

function reportTable(title: string, pages: readonly PageFigures[]): string[] {
  return [
    `| ${title} | p50, ms | p95, ms |`,
    "| --- | ---: | ---: |",
    ...pages.map(
      (page) => `| ${page.page} | ${figureOf(page, "p50Ms")} | ${figureOf(page, "p95Ms")} |`,
    ),
  ];
}

/** In whole milliseconds. */
export function figureOf(page: PageFigures | undefined, name: "p50Ms" | "p95Ms"): string {
  if (page === undefined) return "";
  return "failed" in page ? "failed" : page[name].toFixed(0);
}
