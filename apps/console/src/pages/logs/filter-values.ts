// What of a request the list can be filtered by, in the words of its filters.
import { compareDecimals } from "@turnpike/terms";
import { formatDuration, formatExactUsd, noData } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { operationNames } from "../../product/usage/usage-names.ts";
import { type LogRow, type LogsChange, statusNames } from "./use-logs-view.ts";

type FilterValue = readonly [text: string, change: LogsChange];

/** `playground` is not a key; its requests are filtered by source. */
export function keyLabel(row: Pick<LogRow, "keyName" | "origin">): string {
  return row.keyName ?? (row.origin === "playground" ? "Playground" : noData);
}

export function filterValues(row: LogRow): readonly FilterValue[] {
  const { model, provider, keyId, app, user, operation, origin, errorCode, costUsd, totalMs } = row;
  const status = statusClassOf(row);
  const all: readonly (FilterValue | false | undefined)[] = [
    status && [`Status: ${status}`, { status }],
    model !== "" && [`Model: ${model}`, { models: [model] }],
    provider !== "" && [`Provider: ${provider}`, { providers: [provider] }],
    keyId === null
      ? [`Source: ${keyLabel(row)}`, { origin }]
      : [`Key: ${keyLabel(row)}`, { keys: [keyId] }],
    app !== null && [`App: ${app}`, { app }],
    user !== null && [`User: ${user}`, { user }],
    [`Operation: ${operationNames[operation]}`, { operation }],
    errorCode !== null && [`Error code: ${errorCode}`, { code: errorCode }],
    compareDecimals(costUsd, "0") > 0 && [
      `Cost: ${formatExactUsd(costUsd)} or more`,
      { minCost: costUsd },
    ],
    totalMs !== null && [
      `Duration: ${formatDuration(totalMs)} or more`,
      { minLatency: `${Math.floor(totalMs)}` },
    ],
  ];
  return all.flatMap((value) => (value ? [value] : []));
}

/** As the filter divides them. */
export function statusClassOf({ status, outcome }: Pick<LogRow, "status" | "outcome">) {
  if (outcome === "client_closed") return "canceled";
  return namesOf(statusNames).find((known) => known[0] === `${status}`[0]);
}
