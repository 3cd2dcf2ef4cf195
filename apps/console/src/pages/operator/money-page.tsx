// Money at the operator's desk: what brings it in and what it costs, the books, refunds and disputes, and the close of
// a month.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDate, formatShare } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { oneOf, useAddress } from "../../lib/use-address.ts";
import { Money, Time } from "../../ui/figures/figures.tsx";
import { choicesOf, SelectControl } from "../../ui/forms/choices.tsx";
import { countColumn, moneyColumn, textColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { BooksCard, CloseCard, OwingCard, ReversedCard } from "./money-cards.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { useDesk, useOperatorMay } from "./use-operator.ts";

type Report = Answers["operator"]["money"]["report"];
type Row = Report["rows"][number];

const groups = choicesOf({
  day: "Day",
  model: "Model",
  provider: "Provider",
  route: "Route",
  account: "Account",
});

const orders = choicesOf({
  revenue: "Revenue",
  cost: "Cost",
  shortfall: "Shortfall",
  calls: "Calls",
  free: "Free calls",
  refused: "Refused calls",
});

const spans = [1, 7, 30, 90, 365].map((days) => ({
  value: String(days),
  label: counted(days, "day"),
}));

const fields = {
  by: oneOf(
    "day",
    groups.map(({ value }) => value),
  ),
  order: oneOf(
    "revenue",
    orders.map(({ value }) => value),
  ),
  days: oneOf(
    "30",
    spans.map(({ value }) => value),
  ),
};

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
  const { get, set } = useAddress(fields);
  const by = () => get("by");
  const query = useDesk("money", api.operator.money.report, () => ({
    by: by(),
    order: get("order"),
    days: Number(get("days")),
  }));
  return (
    <TableCard
      title="Revenue and cost"
      description="Margin compares only calls whose cost the catalog knows."
      controls={
        <div class="flex flex-wrap gap-2">
          <SelectControl
            label="By"
            value={by()}
            choices={groups}
            onChange={(chosen) => set({ by: chosen })}
            small
          />
          <SelectControl
            label="Largest"
            value={get("order")}
            choices={orders}
            onChange={(order) => set({ order })}
            disabled={by() === "day"}
            small
          />
          <SelectControl
            label="Time"
            value={get("days")}
            choices={spans}
            onChange={(days) => set({ days })}
            small
          />
        </div>
      }
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
      cards="paired"
      rows={(report) => rowsOf(report, by())}
      rowKey={({ name }) => name}
      rowHref={({ name }) =>
        by() === "account" && name !== "" ? `/operator/accounts/${name}` : undefined
      }
    />
  );
}

/** What a provider charges is known only where the catalog says so. */
function KnownMoney(props: { usd: string | null }): JSX.Element {
  return (
    <Show when={props.usd} fallback={<span class="text-muted">Unknown</span>}>
      {(usd) => <Money usd={usd()} kind="sum" inRow />}
    </Show>
  );
}

/** With their total; none without calls. */
function rowsOf({ rows, total }: Report, by: string): readonly Row[] {
  if (rows.length === 0) return [];
  const named =
    by === "day"
      ? rows.map((row) => ({ ...row, label: formatDate(new Date(row.name), "UTC") }))
      : rows;
  return [...named, { ...total, name: "", label: "Total" }];
}

const columns: readonly Column<Row>[] = [
  textColumn("name", "By", ({ label }) => label),
  countColumn("calls", "Calls", ({ calls }) => calls),
  moneyColumn("revenue", "Revenue", ({ revenueUsd }) => revenueUsd),
  {
    id: "cost",
    title: "Provider cost",
    align: "end",
    cell: ({ costUsd }) => <KnownMoney usd={costUsd} />,
  },
  {
    id: "margin",
    title: "Margin",
    align: "end",
    cell: ({ marginUsd, marginPercent }) => (
      <span class="whitespace-nowrap">
        <KnownMoney usd={marginUsd} />
        <Show when={marginPercent !== null}>
          {" "}
          <span class="text-muted">{formatShare((marginPercent ?? 0) / 100)}</span>
        </Show>
      </span>
    ),
  },
  moneyColumn("shortfall", "Shortfall", ({ shortfallUsd }) => shortfallUsd),
  countColumn("free", "Free", ({ freeCalls }) => freeCalls),
  countColumn("refused", "Refused", ({ refusedCalls }) => refusedCalls),
  countColumn("failed", "Failed", ({ failedCalls }) => failedCalls),
];
