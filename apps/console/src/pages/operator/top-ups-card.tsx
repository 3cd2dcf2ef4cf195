// The payments of an account, and their refund.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import {
  recheckAction,
  refundAction,
  type ShownAccount,
  type ShownTopUp,
} from "./account-actions.ts";
import type { AskedAction } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

const columns: readonly Column<ShownTopUp>[] = [
  {
    id: "at",
    title: "When",
    cell: ({ createdAt }) => <Time at={createdAt} absolute inRow />,
  },
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

type TopUpsCardProps = { of: ShownAccount; onAsk: (action: AskedAction) => void };

export function TopUpsCard(props: TopUpsCardProps): JSX.Element {
  const may = useOperatorMay();
  const query = useQuery(() => ({
    queryKey: ["operator", "topUps", props.of.id],
    queryFn: ({ signal }) => api.operator.topUp.list.query({ account: props.of.id }, { signal }),
  }));
  return (
    <Card title="Top-ups" flush>
      <Loaded query={query} what="the top-ups">
        {(answer) => (
          <Show
            when={answer().topUps.length > 0}
            fallback={<EmptyState title="Nothing was paid yet." />}
          >
            <Table
              caption="Payments of the account"
              columns={columns}
              rows={answer().topUps}
              rowKey={({ id }) => id}
              actions={(topUp) => (
                <span class="inline-flex flex-wrap justify-end gap-2">
                  <Show when={may("topUp.recheck") && topUp.processor === "stripe"}>
                    <Button size="small" changes onClick={() => props.onAsk(recheckAction(topUp))}>
                      Check with Stripe
                    </Button>
                  </Show>
                  <Show when={may("topUp.refund") && isRefundable(topUp)}>
                    <Button size="small" changes onClick={() => props.onAsk(refundAction(topUp))}>
                      Refund
                    </Button>
                  </Show>
                </span>
              )}
            />
          </Show>
        )}
      </Loaded>
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
