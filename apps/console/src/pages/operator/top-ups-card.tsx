// The payments of an account, and their refund.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";
import {
  recheckAction,
  refundAction,
  type ShownAccount,
  type ShownTopUp,
} from "./account-actions.ts";
import { useAsk } from "./ask.tsx";
import { useOperatorMay } from "./use-operator.ts";

const columns: readonly Column<ShownTopUp>[] = [
  { id: "at", title: "When", cell: ({ createdAt }) => <Time at={createdAt} absolute inRow /> },
  {
    id: "state",
    title: "State",
    cell: ({ state, failureReason }) => (failureReason ? `${state}: ${failureReason}` : state),
    class: "wrap-anywhere",
  },
  {
    id: "receipt",
    title: "Receipt",
    cell: ({ receiptUrl }) => (
      <Show when={receiptUrl} fallback={noData}>
        {(url) => (
          <a href={url()} target="_blank" rel="noreferrer">
            Open
          </a>
        )}
      </Show>
    ),
  },
  {
    id: "payment",
    title: "Payment",
    cell: ({ paymentIntentId }) => paymentIntentId ?? noData,
    class: "font-mono text-xs wrap-anywhere",
  },
  {
    id: "amount",
    title: "Amount",
    cell: ({ amountUsd }) => <Money usd={amountUsd} kind="amount" inRow />,
    align: "end",
  },
  {
    id: "reversed",
    title: "Taken back",
    cell: ({ reversedUsd }) => <Money usd={reversedUsd} kind="amount" inRow />,
    align: "end",
  },
];

export function TopUpsCard(props: { of: ShownAccount }): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  const query = useAnswer(
    () => ["operator", "topUps", props.of.id],
    (call) => api.operator.topUp.list.query({ account: props.of.id }, call),
  );
  return (
    <Card title="Top-ups" flush>
      <LoadedTable
        query={query}
        what="the top-ups"
        empty="Nothing was paid yet."
        caption="Payments of the account"
        columns={columns}
        rows={({ topUps }) => topUps}
        rowKey={({ id }) => id}
        actions={(topUp) => (
          <span class="inline-flex flex-wrap justify-end gap-2">
            <Show when={may("topUp.recheck") && topUp.processor === "stripe"}>
              <Button size="small" changes onClick={() => ask(recheckAction(topUp))}>
                Check with Stripe
              </Button>
            </Show>
            <Show when={may("topUp.refund") && isRefundable(topUp)}>
              <Button size="small" changes onClick={() => ask(refundAction(topUp))}>
                Refund
              </Button>
            </Show>
          </span>
        )}
      />
    </Card>
  );
}

function isRefundable({
  processor,
  paymentIntentId,
  creditedUsd,
  reversedUsd,
}: ShownTopUp): boolean {
  return processor === "stripe" && paymentIntentId !== null && creditedUsd !== reversedUsd;
}
