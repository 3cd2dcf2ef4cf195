// Money at the operator's desk: what brings it in and what it costs, the books, refunds and disputes, and the close of a
// month.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api, type Inputs } from "../../lib/api.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { type Choice, SelectControl } from "../../ui/choices.tsx";
import { Money, Time, Tokens } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";
import { BooksCard } from "./books-card.tsx";
import { CloseCard } from "./close-card.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { OwingCard } from "./owing-card.tsx";
import { ReversedCard } from "./reversed-card.tsx";
import { useOperatorMay } from "./use-operator.ts";

const moneyNames = {
  revenue: "Revenue",
  cost: "Provider cost",
  shortfall: "Shortfall",
  free: "Free",
  refused: "Refused",
  failed: "Failed",
  calls: "Calls",
} as const;

type Report = Answers["operator"]["money"]["report"];
type Row = Report["rows"][number];
type Query = Inputs["operator"]["money"]["report"];
type By = NonNullable<Query["by"]>;
type Order = NonNullable<Query["order"]>;

const groups: readonly Choice<By>[] = [
  { value: "day", label: "Day" },
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
  { value: "route", label: "Route" },
  { value: "account", label: "Account" },
];

const orders: readonly Choice<Order>[] = [
  { value: "revenue", label: "Revenue" },
  { value: "cost", label: "Cost" },
  { value: "shortfall", label: "Shortfall" },
  { value: "calls", label: "Calls" },
  { value: "free", label: "Free calls" },
  { value: "refused", label: "Refused calls" },
];

const spans = ["1", "7", "30", "90", "365"].map((days) => ({
  value: days,
  label: `${days} days`,
}));

export default function MoneyPage(): JSX.Element {
  const may = useOperatorMay();
  return (
    <OperatorFrame>
      <ReportCard />
      <BooksCard />
      <OwingCard />
      <ReversedCard />
      <Show when={may("money.close")}>
        <CloseCard />
      </Show>
    </OperatorFrame>
  );
}

function ReportCard(): JSX.Element {
  const [search, setSearch] = useSearchParams<{ by?: string; order?: string; days?: string }>();
  const by = () => groups.find(({ value }) => value === search.by)?.value ?? "day";
  const order = () => orders.find(({ value }) => value === search.order)?.value ?? "revenue";
  const days = () => spans.find(({ value }) => value === search.days)?.value ?? "30";
  const query = useAnswer(
    () => ["operator", "money", by(), order(), days()],
    (call) =>
      api.operator.money.report.query({ by: by(), order: order(), days: Number(days()) }, call),
  );
  return (
    <Card
      title="Revenue and cost"
      description="Margin compares only calls whose cost the catalog knows."
      actions={
        <div class="flex flex-wrap gap-2">
          <SelectControl
            label="By"
            value={by()}
            choices={groups}
            onChange={(value) => setSearch({ by: value })}
            small
          />
          <SelectControl
            label="Largest"
            value={order()}
            choices={orders}
            onChange={(value) => setSearch({ order: value })}
            disabled={by() === "day"}
            small
          />
          <SelectControl
            label="Time"
            value={days()}
            choices={spans}
            onChange={(value) => setSearch({ days: value })}
            small
          />
        </div>
      }
      flush
    >
      <LoadedTable
        query={query}
        what="the report"
        empty="No calls in this time."
        above={({ coveredFrom }) => (
          <Show when={coveredFrom}>
            {(from) => (
              <p class="px-5 pt-4 text-sm text-muted">
                Calls before this are not added up yet: <Time at={from()} absolute />
              </p>
            )}
          </Show>
        )}
        caption="Revenue and cost"
        columns={columns}
        rows={rowsOf}
        rowKey={({ name }) => name}
        rowHref={({ name }) =>
          by() === "account" && name !== "" ? `/operator/accounts/${name}` : undefined
        }
      />
    </Card>
  );
}

/** With their total; none without calls. */
function rowsOf({ rows, total }: Report): readonly Row[] {
  return rows.length === 0 ? [] : [...rows, { ...total, name: "", label: "Total" }];
}

const amount = (id: "revenue" | "cost" | "shortfall", read: (row: Row) => string): Column<Row> => ({
  id,
  title: moneyNames[id],
  align: "end",
  cell: (row) => <Money usd={read(row)} kind="sum" inRow />,
});

const count = (
  id: "free" | "refused" | "failed" | "calls",
  read: (row: Row) => number,
): Column<Row> => ({
  id,
  title: moneyNames[id],
  align: "end",
  cell: (row) => <Tokens count={read(row)} inRow />,
});

const columns: readonly Column<Row>[] = [
  { id: "name", title: "By", cell: ({ label }) => label, class: "wrap-anywhere" },
  count("calls", ({ calls }) => calls),
  amount("revenue", ({ revenueUsd }) => revenueUsd),
  amount("cost", ({ costUsd }) => costUsd),
  {
    id: "margin",
    title: "Margin",
    align: "end",
    cell: ({ marginUsd, marginPercent }) => (
      <span class="whitespace-nowrap">
        <Money usd={marginUsd} kind="sum" inRow />
        <Show when={marginPercent !== null}>
          {" "}
          <span class="text-muted">{marginPercent ?? 0} %</span>
        </Show>
      </span>
    ),
  },
  amount("shortfall", ({ shortfallUsd }) => shortfallUsd),
  count("free", ({ freeCalls }) => freeCalls),
  count("refused", ({ refusedCalls }) => refusedCalls),
  count("failed", ({ failedCalls }) => failedCalls),
];
