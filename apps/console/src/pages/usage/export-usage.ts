// The current view as a file: one line per bucket and group, with exact amounts that sum to the cards.

import { writeCsv } from "@turnpike/terms";
import { downloadFile } from "../../lib/download-file.ts";
import type { Usage } from "./usage-cards.tsx";
import type { UsageGroup } from "./use-usage-view.ts";

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
    ]),
  );
  return writeCsv(head, rows);
}

export function exportCsv(usage: Usage, group: UsageGroup): void {
  downloadFile("usage.csv", usageCsv(usage, group));
}

export function exportJson(usage: Usage): void {
  downloadFile("usage.json", `${JSON.stringify(usage, undefined, 2)}\n`, "application/json");
}
