// Top-ups that were refunded or disputed: those that wait for evidence, then the newest.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";

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
  { id: "account", title: "Account", cell: ({ account }) => account, class: "wrap-anywhere" },
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
  { id: "updated", title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} inRow /> },
];

export function ReversedCard(): JSX.Element {
  const query = useAnswer(["operator", "reversed"], (call) =>
    api.operator.money.topups.query({ reversed: true }, call),
  );
  return (
    <Card
      title="Refunds and disputes"
      description="Evidence for a dispute is sent in Stripe's dashboard, until the date shown here."
      flush
    >
      <LoadedTable
        query={query}
        what="the top-ups"
        empty="Nothing was refunded or disputed."
        caption="Top-ups that were refunded or disputed"
        columns={columns}
        rows={({ topUps }) => topUps}
        rowKey={({ id }) => id}
        rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
      />
    </Card>
  );
}
