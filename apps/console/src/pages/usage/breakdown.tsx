// The spend of the range by model, key, project or provider; the rows sum to the cards.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { compareDecimals, formatShare } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Sparkline } from "../../ui/charts/charts.tsx";
import { type Column, type Sort, Table } from "../../ui/table.tsx";
import { countColumn, sumColumn } from "../shared/columns.tsx";
import { ShareBar } from "./share-bar.tsx";
import type { Usage } from "./usage-cards.tsx";
import type { UsageGroup, UsageView } from "./use-usage-view.ts";

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
  const rows = createMemo(() => sortRows(props.usage.breakdown, get("sort")));
  const columns = createMemo(() => columnsOf(props.usage, group()));
  return (
    <Card title="Breakdown" flush>
      <Table
        caption={`Usage by ${group()}`}
        columns={columns()}
        rows={rows()}
        rowKey={(row) => row.id}
        busy={props.busy}
        sort={get("sort")}
        onSort={(sort) => set({ sort }, { replace: true })}
        // Requests refused before they named a model cannot be filtered by it.
        rowHref={(row) => (row.id === "" ? undefined : logsHref(logsFilter(group(), row.id)))}
      />
    </Card>
  );
}

function logsFilter(group: UsageGroup, id: string): Readonly<Record<string, string>> {
  return group === "key" && id === "playground" ? { origin: id } : { [`${group}s`]: id };
}

function columnsOf(usage: Usage, group: UsageGroup): readonly Column<Row>[] {
  const total = Number(usage.cards.costUsd);
  const shareOf = (row: Row) => (total === 0 ? 0 : Number(row.costUsd) / total);
  const trendOf = (row: Row) =>
    usage.series.map((bucket) => bucket.groups.find(({ id }) => id === row.id)?.costUsd ?? "0");
  const count = (
    id: "requests" | "promptTokens" | "completionTokens" | "cachedTokens",
    title: string,
  ) => ({ ...countColumn(id, title, (row: Row) => row[id]), sortable: true });
  return [
    {
      id: "label",
      title: groupNames[group],
      cell: (row) => row.label,
      class: "sm:min-w-40 wrap-anywhere",
    },
    { ...sumColumn("costUsd", "Spend", (row) => row.costUsd), sortable: true },
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
    count("requests", "Requests"),
    count("promptTokens", "Input"),
    count("completionTokens", "Output"),
    count("cachedTokens", "Cached"),
    {
      id: "errorRate",
      title: "Error rate",
      align: "end",
      sortable: true,
      cell: (row) => formatShare(row.errorRate),
    },
  ];
}

const comparisons: Readonly<Record<string, (a: Row, b: Row) => number>> = {
  costUsd: (a, b) => compareDecimals(a.costUsd, b.costUsd),
  requests: (a, b) => a.requests - b.requests,
  promptTokens: (a, b) => a.promptTokens - b.promptTokens,
  completionTokens: (a, b) => a.completionTokens - b.completionTokens,
  cachedTokens: (a, b) => a.cachedTokens - b.cachedTokens,
  errorRate: (a, b) => (a.errorRate ?? -1) - (b.errorRate ?? -1),
};

function sortRows(rows: readonly Row[], { column, descending }: Sort): readonly Row[] {
  const compare = comparisons[column];
  if (!compare) return rows;
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}
