// The current view as a file: one line per bucket and group, with exact amounts that sum to the cards; or the table by
// two dimensions.

import { unitNames, writeCsv } from "@turnpike/terms";
import { downloadFile } from "../../lib/download-file.ts";
import type { UsageGroup, Value } from "./measures.ts";
import type { Explored, Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

export function usageCsv(usage: Usage, group: UsageGroup): string {
  const labels = new Map(usage.breakdown.map((row) => [row.id, row.label]));
  const head = [
    "from",
    `${group}_id`,
    group,
    "cost_usd",
    "requests",
    "input_tokens",
    "output_tokens",
    "cached_tokens",
    ...unitNames.map(columnOf),
  ];
  const rows = usage.series.flatMap(({ at, groups }) =>
    groups.map((row) => [
      at,
      row.id,
      labels.get(row.id) ?? row.id,
      row.costUsd,
      row.requests,
      row.promptTokens,
      row.completionTokens,
      row.cachedTokens,
      ...unitNames.map((unit) => row.units[unit] ?? 0),
    ]),
  );
  return writeCsv(head, rows);
}

/** `audioMilliseconds` is `audio_milliseconds`. */
function columnOf(unit: string): string {
  return unit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function exportCsv(usage: Usage, group: UsageGroup): void {
  downloadFile("usage.csv", usageCsv(usage, group));
}

export function exportJson(usage: Usage): void {
  downloadFile("usage.json", `${JSON.stringify(usage, undefined, 2)}\n`, "application/json");
}

export function exportTable(found: Explored, view: UsageView): void {
  downloadFile(`usage-${view.measure()}.csv`, tableCsv(found, view));
}

/** A line per row, a column per column, times in ISO 8601. */
export function tableCsv(
  found: Explored,
  view: Pick<UsageView, "measure" | "rows" | "columns">,
): string {
  const nameOf = ({ id, label }: Value) => (id?.match(/^\d{4}-.*Z$/) ? id : label);
  const head = [
    `${view.rows()}_id`,
    view.rows(),
    ...found.columns.map(nameOf),
    view.columns() ? `total_${view.measure()}` : view.measure(),
    "requests",
  ];
  const rows = found.rows.map((row) => [
    row.id ?? "",
    nameOf(row),
    ...row.cells.map((value) => value ?? ""),
    row.total ?? "",
    row.requests,
  ]);
  return writeCsv(head, rows);
}
