// Below the report of money: the state of the books, accounts on credit, reversed top-ups, and the close of a month.
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { formatExactUsd, formatMonth, noData } from "../../lib/format.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Figure, Money, Time } from "../../ui/figures/figures.tsx";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { codeColumn, moneyColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { useDesk } from "./use-operator.ts";

/** What the last check of the books found. */
export function BooksCard(): JSX.Element {
  const query = useDesk("books", api.operator.money.books, () => ({}));
  return (
    <Card title="Books">
      <Loaded query={query} what="the state of the books">
        {(state) => (
          <Show when={state().checkedAt} fallback={state().error ?? "Not checked yet."}>
            {(at) => (
              <>
                <p>
                  {state().violations.length > 0
                    ? "The last check found mistakes:"
                    : "Clean at the last check,"}{" "}
                  <Time at={at()} />
                </p>
                <ul class="mt-2 list-disc ps-5">
                  <For each={state().violations}>
                    {({ check, rows }) => (
                      <li>
                        {check}: {rows}
                      </li>
                    )}
                  </For>
                </ul>
              </>
            )}
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

type Owing = Answers["operator"]["money"]["owing"]["accounts"][number];

const owingColumns: readonly Column<Owing>[] = [
  textColumn("name", "Account", ({ name }) => name),
  moneyColumn("balance", "Balance", ({ balanceUsd }) => balanceUsd, "balance"),
  moneyColumn("limit", "Credit limit", ({ creditLimitUsd }) => creditLimitUsd, "amount"),
];

/** Accounts with a credit limit, or with a balance below zero: the largest debt first. */
export function OwingCard(): JSX.Element {
  const query = useDesk("owing", api.operator.money.owing, () => ({}));
  return (
    <TableCard
      title="Accounts on credit"
      query={query}
      what="the accounts that owe money"
      empty="No account has a credit limit or owes money."
      above={({ totalUsd }) => (
        <p class="figures px-5 pt-4">
          <Figure>{formatExactUsd(totalUsd)}</Figure> owed in total
        </p>
      )}
      caption="Accounts on credit"
      columns={owingColumns}
      rows={({ accounts }) => accounts}
      rowKey={({ accountId }) => accountId}
      rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
    />
  );
}

type TopUp = Answers["operator"]["money"]["topups"]["topUps"][number];

const reversedColumns: readonly Column<TopUp>[] = [
  textColumn("account", "Account", ({ account }) => account),
  moneyColumn("amount", "Paid", ({ amountUsd }) => amountUsd, "amount"),
  moneyColumn("refunded", "Refunded", ({ refundedUsd }) => refundedUsd, "amount"),
  moneyColumn("disputed", "Disputed", ({ disputedUsd }) => disputedUsd, "amount"),
  timeColumn("due", "Evidence due", ({ evidenceDueAt }) => evidenceDueAt, {
    absolute: true,
    none: noData,
  }),
  codeColumn("payment", "Payment at Stripe", ({ paymentIntentId }) => paymentIntentId),
  timeColumn("updated", "Changed", ({ updatedAt }) => updatedAt),
];

/** Top-ups that were refunded or disputed: those that wait for evidence, then the newest. */
export function ReversedCard(): JSX.Element {
  const query = useDesk("reversed", api.operator.money.topups, () => ({ reversed: true }));
  return (
    <TableCard
      title="Refunds and disputes"
      description="Evidence for a dispute is sent in Stripe's dashboard, until the date shown here."
      query={query}
      what="the top-ups"
      empty="Nothing was refunded or disputed."
      caption="Top-ups that were refunded or disputed"
      columns={reversedColumns}
      rows={({ topUps }) => topUps}
      rowKey={({ id }) => id}
      rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
    />
  );
}

const movementNames = {
  top_up: "Top-ups",
  usage: "Usage",
  refund: "Refunds",
  dispute: "Disputes",
  adjustment: "Adjustments",
} as const;

const monthsShown = 24;

/** The last one first, in UTC. */
function lastMonths(): string[] {
  const now = new Date();
  return Array.from({ length: monthsShown }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7),
  );
}

/** Balances at both ends of a month, what moved them, and the journal as a file. */
export function CloseCard(): JSX.Element {
  const months = lastMonths();
  // The last one that is over.
  const [month, setMonth] = createSignal(months[1] ?? "");
  const query = useDesk("close", api.operator.money.close, () => ({ month: month() }));
  return (
    <Card
      title="Close of a month"
      actions={
        <SelectControl
          label="Month (UTC)"
          value={month()}
          choices={months.map((value) => ({ value, label: formatMonth(value) }))}
          onChange={setMonth}
          small
        />
      }
    >
      <Loaded query={query} what="the month">
        {(close) => <Figures of={close()} />}
      </Loaded>
    </Card>
  );
}

function Figures(props: { of: Answers["operator"]["money"]["close"] }): JSX.Element {
  const facts = () =>
    [
      ["Customer balances at its beginning", props.of.openingUsd],
      ...props.of.movements.map(({ kind, usd }) => [movementNames[kind], usd] as const),
      ["Customer balances at its end", props.of.closingUsd],
      ["Usage revenue", props.of.revenueUsd],
      ["Shortfall", props.of.shortfallUsd],
    ] as const;
  return (
    <div class="flex flex-col items-start gap-4">
      <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <For each={facts()}>
          {([label, usd]) => (
            <>
              <dt class="text-muted">{label}</dt>
              <dd class="text-end">
                <Money usd={usd} kind="signed" />
              </dd>
            </>
          )}
        </For>
      </dl>
      <Show when={!props.of.isOver}>
        <p class="text-sm text-muted">This month is not over.</p>
      </Show>
      <Button
        size="small"
        onClick={() => downloadFile(`turnpike-journal-${props.of.month}.csv`, props.of.journal)}
      >
        Download the journal
      </Button>
    </div>
  );
}
