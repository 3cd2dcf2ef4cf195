// The spend of the range by model, key, project or provider; the rows sum to the cards. Beside the view of performance it
// says how fast each was.

import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatDuration, formatShare } from "../../lib/format.ts";
import { byNumber, type Order, orderBy, sortRows } from "../../lib/sort-rows.ts";
import { Sparkline } from "../../ui/charts/charts.tsx";
import { countColumn, sumColumn } from "../../ui/columns.tsx";
import { translateOf } from "../../ui/machine-text.ts";
import type { Column } from "../../ui/table.tsx";
import { TitledTable } from "../../ui/titled-table.tsx";
import { ShareBar } from "./share-bar.tsx";
import type { Usage } from "./usage-cards.tsx";
import { type UsageGroup, type UsageView, usualSort } from "./use-usage-view.ts";

const groupNames = {
  model: "Model",
  key: "Key",
  project: "Project",
  provider: "Provider",
} as const;

type Row = Usage["breakdown"][number];
type BreakdownProps = { usage: Usage; view: UsageView; busy: boolean };

export function Breakdown(props: BreakdownProps): JSX.Element {
  const { get, set, logsHref } = props.view;
  const group = () => get("group");
  const columns = createMemo(() => [
    labelColumn(group()),
    ...(get("tab") === "performance" ? performanceColumns : spendColumns(props.usage)),
  ]);
  /** Nothing is sorted by a column of another view. */
  const sort = () =>
    columns().some(({ id }) => id === get("sort").column) ? get("sort") : usualSort;
  const rows = createMemo(() => sortRows(props.usage.breakdown, orders, sort()));
  return (
    <TitledTable
      title="Breakdown"
      caption={`Usage by ${group()}`}
      columns={columns()}
      rows={rows()}
      rowKey={(row) => row.id}
      busy={props.busy}
      sort={sort()}
      onSort={(next) => set({ sort: next }, { replace: true })}
      // Requests refused before they named a model cannot be filtered by it.
      rowHref={(row) => (row.id === "" ? undefined : logsHref(logsFilter(group(), row.id)))}
    />
  );
}

function logsFilter(group: UsageGroup, id: string): Readonly<Record<string, string>> {
  return group === "key" && id === "playground" ? { origin: id } : { [`${group}s`]: id };
}

function labelColumn(group: UsageGroup): Column<Row> {
  return {
    id: "label",
    title: groupNames[group],
    cell: (row) => <span translate={translateOf(row.label)}>{row.label}</span>,
    class: "sm:min-w-40 wrap-anywhere",
  };
}

const spendColumn: Column<Row> = {
  ...sumColumn("costUsd", "Spend", (row) => row.costUsd),
  sortable: true,
};
const requestsColumn = count("requests", "Requests");
const errorRateColumn: Column<Row> = {
  id: "errorRate",
  title: "Error rate",
  align: "end",
  sortable: true,
  cell: (row) => formatShare(row.errorRate),
};

const performanceColumns: readonly Column<Row>[] = [
  requestsColumn,
  duration("firstTokenP50Ms", "First token p50"),
  duration("p50Ms", "Latency p50"),
  duration("p95Ms", "Latency p95"),
  errorRateColumn,
  spendColumn,
];

function spendColumns(usage: Usage): readonly Column<Row>[] {
  const total = Number(usage.cards.costUsd);
  const shareOf = (row: Row) => (total === 0 ? 0 : Number(row.costUsd) / total);
  const trendOf = (row: Row) =>
    usage.series.map((bucket) => bucket.groups.find(({ id }) => id === row.id)?.costUsd ?? "0");
  return [
    spendColumn,
    { id: "share", title: "Share", cell: (row) => <ShareBar share={shareOf(row)} /> },
    {
      id: "trend",
      title: "Trend",
      cell: (row) => (
        <div class="ms-auto w-24 sm:ms-0">
          <Sparkline values={trendOf(row)} />
        </div>
      ),
    },
    requestsColumn,
    count("promptTokens", "Input"),
    count("completionTokens", "Output"),
    count("cachedTokens", "Cached"),
    errorRateColumn,
  ];
}

type CountOf = "requests" | "promptTokens" | "completionTokens" | "cachedTokens";

function count(id: CountOf, title: string): Column<Row> {
  return { ...countColumn(id, title, (row: Row) => row[id]), sortable: true };
}

type DurationOf = "firstTokenP50Ms" | "p50Ms" | "p95Ms";

function duration(id: DurationOf, title: string): Column<Row> {
  const cell = (row: Row) => formatDuration(row[id]);
  return { id, title, align: "end", sortable: true, cell };
}

const orders: Readonly<Record<string, Order<Row>>> = {
  costUsd: orderBy(({ costUsd }) => costUsd, compareDecimals),
  requests: orderBy(({ requests }) => requests, byNumber),
  promptTokens: orderBy(({ promptTokens }) => promptTokens, byNumber),
  completionTokens: orderBy(({ completionTokens }) => completionTokens, byNumber),
  cachedTokens: orderBy(({ cachedTokens }) => cachedTokens, byNumber),
  errorRate: orderBy(({ errorRate }) => errorRate, byNumber),
  firstTokenP50Ms: orderBy(({ firstTokenP50Ms }) => firstTokenP50Ms, byNumber),
  p50Ms: orderBy(({ p50Ms }) => p50Ms, byNumber),
  p95Ms: orderBy(({ p95Ms }) => p95Ms, byNumber),
};
