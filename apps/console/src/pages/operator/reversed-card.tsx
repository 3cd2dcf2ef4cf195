// Top-ups that were refunded or disputed: those that wait for evidence, then the newest.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";

const reversedNames = {
  amount: "Paid",
  refunded: "Refunded",
  disputed: "Disputed",
} as const;

type TopUp = Answers["operator"]["money"]["topups"]["topUps"][number];

const amount = (
  id: "amount" | "refunded" | "disputed",
  read: (row: TopUp) => string,
): Column<TopUp> => ({
  id,
  title: reversedNames[id],
  align: "end",
  cell: (row) => <Money usd={read(row)} kind="amount" inRow />,
});

const columns: readonly Column<TopUp>[] = [
  {
    id: "account",
    title: "Account",
    cell: ({ account }) => account,
    class: "wrap-anywhere",
  },
  amount("amount", ({ amountUsd }) => amountUsd),
  amount("refunded", ({ refundedUsd }) => refundedUsd),
  amount("disputed", ({ disputedUsd }) => disputedUsd),
  {
    id: "due",
    title: "Evidence due",
    cell: ({ evidenceDueAt }) => (
      <Show when={evidenceDueAt} fallback={noData}>
        {(at) => <Time at={at()} absolute inRow />}
      </Show>
    ),
  },
  {
    id: "payment",
    title: "Payment at Stripe",
    cell: ({ paymentIntentId }) => paymentIntentId ?? "",
    class: "wrap-anywhere font-mono text-xs",
  },
  {
    id: "updated",
    title: "Changed",
    cell: ({ updatedAt }) => <Time at={updatedAt} inRow />,
  },
];

export function ReversedCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "reversed"],
    queryFn: ({ signal }) => api.operator.money.topups.query({ reversed: true }, { signal }),
  }));
  return (
    <Card
      title="Refunds and disputes"
      description="Evidence for a dispute is sent in Stripe's dashboard, until the date shown here."
      flush
    >
      <Loaded query={query} what="the top-ups">
        {(answer) => (
          <Show
            when={answer().topUps.length > 0}
            fallback={<EmptyState title="Nothing was refunded or disputed." />}
          >
            <Table
              caption="Top-ups that were refunded or disputed"
              columns={columns}
              rows={answer().topUps}
              rowKey={({ id }) => id}
              rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
            />
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
