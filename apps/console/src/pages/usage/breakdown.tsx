// All figures of the range by model, key or another group; the rows sum to the cards. Beside the measures of performance it
// says how fast each was, beside those of errors how often it failed.

import { compareDecimals, type Unit, unitNames, units } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatDuration, formatShare } from "../../lib/format.ts";
import { byNumber, type Order, orderBy, sortRows } from "../../lib/sort-rows.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import { Sparkline } from "../../ui/charts/charts.tsx";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { countColumn, sumColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { requestsHref } from "./logs-filter.ts";
import { dimensionNames, labelOf, measures } from "./measures.ts";
import { ShareBar } from "./share-bar.tsx";
import type { Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type Row = Usage["breakdown"][number];
type BreakdownProps = {
  usage: Usage;
  view: UsageView;
  keys: readonly Key[];
  busy: boolean;
};

export default function Breakdown(props: BreakdownProps): JSX.Element {
  const { view } = props;
  const columns = createMemo(() => [labelColumn(view), ...columnsOf(props)]);
  /** Nothing is sorted by a column of another measure. */
  const sort = () => {
    const usual = { column: measures[view.measure()].column, descending: true };
    const chosen = view.get("sort");
    if (chosen === undefined) return usual;
    const column = chosen.column === "total" ? usual.column : chosen.column;
    return columns().some(({ id }) => id === column) ? { ...chosen, column } : usual;
  };
  const rows = createMemo(() => sortRows(props.usage.breakdown, orders, sort()));
  return (
    <TableCard
      title="Breakdown"
      caption={`Usage by ${view.groupBy()}`}
      columns={columns()}
      rows={rows()}
      rowKey={(row) => row.id}
      busy={props.busy}
      sort={sort()}
      onSort={(next) => view.set({ sort: next }, { replace: true })}
      rowHref={(row) => requestsHref(props, [row])}
    />
  );
}

function columnsOf({ usage, view }: BreakdownProps): readonly Column<Row>[] {
  switch (view.tab()) {
    case "performance":
      return performanceColumns;
    case "errors":
      return errorColumns;
    case "units":
      return unitColumns(usage);
    default:
      return spendColumns(usage);
  }
}

function labelColumn(view: UsageView): Column<Row> {
  return {
    id: "label",
    title: dimensionNames[view.groupBy()],
    cell: (row) => {
      const label = labelOf(view.groupBy(), row, view.timeZone());
      return <span translate={translateOf(label)}>{label}</span>;
    },
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

const errorColumns: readonly Column<Row>[] = [
  requestsColumn,
  { ...countColumn("errors", "Errors", errorsOf), sortable: true },
  errorRateColumn,
  spendColumn,
];

function errorsOf({ errorRate, requests }: Row): number {
  return Math.round((errorRate ?? 0) * requests);
}

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

/** Those of what anything was billed by. */
function unitColumns(usage: Usage): readonly Column<Row>[] {
  const billed = unitNames.filter((unit) => usage.cards.units[unit] !== undefined);
  return [spendColumn, requestsColumn, ...billed.map(unitColumn), errorRateColumn];
}

function unitColumn(unit: Unit): Column<Row> {
  const { name } = units[unit];
  const read = (row: Row) => row.units[unit] ?? 0;
  const column =
    unit === "audioMilliseconds"
      ? {
          id: unit,
          title: name,
          align: "end" as const,
          cell: (row: Row) => formatDuration(read(row)),
        }
      : countColumn(unit, name, read);
  return { ...column, sortable: true };
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
  errors: orderBy(errorsOf, byNumber),
  errorRate: orderBy(({ errorRate }) => errorRate, byNumber),
  firstTokenP50Ms: orderBy(({ firstTokenP50Ms }) => firstTokenP50Ms, byNumber),
  p50Ms: orderBy(({ p50Ms }) => p50Ms, byNumber),
  p95Ms: orderBy(({ p95Ms }) => p95Ms, byNumber),
  ...Object.fromEntries(
    unitNames.map((unit) => [unit, orderBy((row: Row) => row.units[unit] ?? 0, byNumber)]),
  ),
};
