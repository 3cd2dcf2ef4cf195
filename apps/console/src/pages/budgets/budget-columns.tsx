// The columns of the list of budgets.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatAmount, formatSum } from "../../lib/format.ts";
import { Meter } from "../../product/limits/meter.tsx";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { Figure, MoneyText, Time } from "../../ui/figures/figures.tsx";
import { Badge, StatusPill } from "../../ui/figures/status-pill.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { subjectOf } from "./subject-of.ts";

export const kindNames = {
  account: "Account",
  project: "Project",
  member: "Member",
  key: "API key",
} as const;

export const budgetColumns: readonly Column<Budget>[] = [
  {
    id: "of",
    title: "Budget of",
    cell: (budget) => (
      <span class="inline-flex flex-wrap items-center gap-2">
        <span class="wrap-anywhere">{subjectOf(budget).name}</span>
        <Badge>{kindNames[budget.kind]}</Badge>
      </span>
    ),
    class: "sm:min-w-40 sm:max-w-72",
  },
  {
    id: "limit",
    title: "Limit",
    cell: (budget) => <span class="figures whitespace-nowrap">{describeLimit(budget)}</span>,
  },
  { id: "spent", title: "Spent", cell: (budget) => <Spent of={budget} /> },
  { id: "effect", title: "At the limit", cell: (budget) => <Effect of={budget} /> },
  { id: "resets", title: "Resets", cell: (budget) => <Time at={budget.resetsAt} inRow /> },
];

export function describeLimit({ period, limitUsd }: Budget): string {
  return {
    day: `${formatAmount(limitUsd)} per day`,
    week: `${formatAmount(limitUsd)} per week`,
    month: `${formatAmount(limitUsd)} per month`,
    total: `${formatAmount(limitUsd)} in total`,
  }[period];
}

/** Spent and held of the limit, as text and bar. */
export function Spent(props: { of: Budget }): JSX.Element {
  const isHolding = () => Number(props.of.heldUsd) > 0;
  return (
    <span class="inline-flex w-full min-w-44 flex-col gap-1.5">
      <span class="figures text-sm">
        <MoneyText
          usd={props.of.spentUsd}
          kind="sum"
          inRow
          text={(spent) => `${spent} of ${formatAmount(props.of.limitUsd)}`}
        />
      </span>
      <Meter
        share={shareOf(props.of.spentUsd, props.of.limitUsd)}
        heldShare={shareOf(props.of.heldUsd, props.of.limitUsd)}
      />
      <Show when={isHolding()}>
        <span class="figures text-xs text-muted">
          <Figure>{formatSum(props.of.heldUsd)}</Figure> held by running requests
        </span>
      </Show>
    </span>
  );
}

function Effect(props: { of: Budget }): JSX.Element {
  const isReached = () => shareOf(props.of.spentUsd, props.of.limitUsd) >= 1;
  return (
    <span class="inline-flex flex-wrap items-center gap-2">
      <span class="whitespace-nowrap">{props.of.hard ? "Blocks requests" : "Alert only"}</span>
      <Show when={isReached()}>
        <StatusPill tone={props.of.hard ? "danger" : "warning"}>Reached</StatusPill>
      </Show>
    </span>
  );
}

/** From exact strings; for bars and pills only. */
function shareOf(usd: string, limitUsd: string): number {
  const limit = Number(limitUsd);
  return limit === 0 ? 1 : Math.min(1, Number(usd) / limit);
}
