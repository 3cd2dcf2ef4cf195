// The spend of the range by model, key, project or provider; the rows sum to the cards.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { compareDecimals, decimalsOfSums, formatShare } from "../../lib/format.ts";
import { Card } from "../../ui/card.tsx";
import { Sparkline } from "../../ui/charts/charts.tsx";
import { Money, Tokens } from "../../ui/figures.tsx";
import { type Column, type Sort, Table } from "../../ui/table.tsx";
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
  const group = () => props.view.groupBy();
  const sort = () => readSort(props.view.sort());
  const rows = createMemo(() => sortRows(props.usage.breakdown, sort()));
  const columns = createMemo(() => columnsOf(props.usage, group()));
  return (
    <Card title="Breakdown" flush>
      <Table
        caption={`Usage by ${group()}`}
        columns={columns()}
        rows={rows()}
        rowKey={(row) => row.id}
        busy={props.busy}
        sort={sort()}
        onSort={({ column, descending }) =>
          props.view.setSort(descending ? column : `${column}-up`)
        }
        // Requests refused before they named a model cannot be filtered by it.
        rowHref={(row) =>
          row.id === "" ? undefined : props.view.logsHref(logsFilter(group(), row.id))
        }
      />
    </Card>
  );
}

function logsFilter(group: UsageGroup, id: string): Readonly<Record<string, string>> {
  if (group === "model") return { models: id };
  if (group === "provider") return { providers: id };
  if (group === "project") return { projects: id };
  return id === "playground" ? { origin: "playground" } : { keys: id };
}

function columnsOf(usage: Usage, group: UsageGroup): readonly Column<Row>[] {
  const total = Number(usage.cards.costUsd);
  const shareOf = (row: Row) => (total === 0 ? 0 : Number(row.costUsd) / total);
  const trendOf = (row: Row) =>
    usage.series.map((bucket) => bucket.groups.find(({ id }) => id === row.id)?.costUsd ?? "0");
  const count = (
    id: keyof Row & ("promptTokens" | "completionTokens" | "cachedTokens" | "requests"),
    title: string,
  ): Column<Row> => ({
    id,
    title,
    align: "end",
    sortable: true,
    cell: (row) => <Tokens count={row[id]} inRow />,
  });
  return [
    {
      id: "label",
      title: groupNames[group],
      cell: (row) => row.label,
      class: "sm:min-w-40 wrap-anywhere",
    },
    {
      id: "costUsd",
      title: "Spend",
      align: "end",
      sortable: true,
      decimals: (all) => decimalsOfSums(all.map((row) => row.costUsd)),
      cell: (row, decimals) => <Money usd={row.costUsd} decimals={decimals()} inRow />,
    },
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

/** `requests`, or `requests-up` for the smallest first. */
function readSort(text: string | undefined): Sort {
  const [column = "costUsd", direction] = (text ?? "").split("-");
  const known = column in comparisons ? column : "costUsd";
  return { column: known, descending: direction !== "up" };
}

function sortRows(rows: readonly Row[], { column, descending }: Sort): readonly Row[] {
  const compare = comparisons[column];
  if (!compare) return rows;
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}
