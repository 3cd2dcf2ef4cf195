// Accounts with a credit limit, or with a balance below zero: the largest debt first.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatExactUsd } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Money } from "../../ui/figures.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import type { Column } from "../../ui/table.tsx";

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
  const query = useAnswer(["operator", "owing"], (call) =>
    api.operator.money.owing.query({}, call),
  );
  return (
    <Card title="Accounts on credit" flush>
      <LoadedTable
        query={query}
        what="the accounts that owe money"
        empty="No account has a credit limit or owes money."
        above={({ totalUsd }) => (
          <p class="figures px-5 pt-4">{formatExactUsd(totalUsd)} owed in total</p>
        )}
        caption="Accounts on credit"
        columns={columns}
        rows={({ accounts }) => accounts}
        rowKey={({ accountId }) => accountId}
        rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
      />
    </Card>
  );
}
