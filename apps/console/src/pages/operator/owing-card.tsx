// Accounts with a credit limit, or with a balance below zero: the largest debt first.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatExactUsd } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Owing = Answers["operator"]["money"]["owing"]["accounts"][number];

const columns: readonly Column<Owing>[] = [
  { id: "name", title: "Account", cell: ({ name }) => name, class: "wrap-anywhere" },
  {
    id: "balance",
    title: "Balance",
    align: "end",
    cell: ({ balanceUsd }) => <Money usd={balanceUsd} kind="sum" inRow />,
  },
  {
    id: "limit",
    title: "Credit limit",
    align: "end",
    cell: ({ creditLimitUsd }) => <Money usd={creditLimitUsd} kind="sum" inRow />,
  },
];

export function OwingCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "owing"],
    queryFn: ({ signal }) => api.operator.money.owing.query({}, { signal }),
  }));
  return (
    <Card title="Accounts on credit" flush>
      <Loaded query={query} what="the accounts that owe money">
        {(answer) => (
          <Show
            when={answer().accounts.length > 0}
            fallback={<EmptyState title="No account has a credit limit or owes money." />}
          >
            <p class="figures px-5 pt-4">{formatExactUsd(answer().totalUsd)} owed in total</p>
            <Table
              caption="Accounts on credit"
              columns={columns}
              rows={answer().accounts}
              rowKey={({ accountId }) => accountId}
              rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
            />
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
