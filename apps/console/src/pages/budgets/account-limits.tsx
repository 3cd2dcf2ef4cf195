// What limits the account beside its budgets: the balance, its low-balance alert and the rates of all its calls together.

import { A } from "@solidjs/router";
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatAmount, formatBalance, formatCount, noData } from "../../lib/format.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Figure } from "../../ui/figures/figures.tsx";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";

type AccountLimit = {
  readonly id: string;
  readonly name: string;
  readonly used: string;
  readonly limit: string;
  readonly resets: string;
  readonly reached: boolean;
  readonly href: string;
};

const columns: readonly Column<AccountLimit>[] = [
  {
    id: "name",
    title: "Limit of",
    cell: (row) => (
      <A href={row.href} class="link">
        {row.name}
      </A>
    ),
  },
  { id: "used", title: "Now", cell: (row) => <Figure>{row.used}</Figure> },
  {
    id: "limit",
    title: "Limit",
    cell: (row) => (
      <span class="inline-flex flex-wrap items-center gap-2">
        <span class="figures">{row.limit}</span>
        <Show when={row.reached}>
          <StatusPill tone="warning">Reached</StatusPill>
        </Show>
      </span>
    ),
  },
  { id: "resets", title: "Resets", cell: (row) => row.resets },
];

export function AccountLimits(): JSX.Element {
  const wallet = useWallet();
  const mayRead = useMay("money.read");
  const query = useAnswer(["account", "limits"], (call) =>
    api.accounts.limits.query(undefined, call),
  );
  const money = () => (mayRead() && wallet.data ? moneyLimits(wallet.data) : []);
  return (
    <TableCard
      title="Limits of the account"
      description="They apply to all requests together, in addition to the budgets above."
      query={query}
      what="the limits of the account"
      columns={columns}
      rows={(rates: Rates) => [...money(), ...rateLimits(rates)]}
      empty="There are no rate limits for all requests together."
      rowKey={(row) => row.id}
    />
  );
}

type Wallet = NonNullable<ReturnType<typeof useWallet>["data"]>;

function moneyLimits(wallet: Wallet): readonly AccountLimit[] {
  const { balanceUsd, spendableUsd, creditLimitUsd, lowBalanceAlertUsd: alertUsd } = wallet;
  const hasCredit = compareDecimals(creditLimitUsd, "0") > 0;
  const balance: AccountLimit = {
    id: "balance",
    name: "Balance",
    used: formatBalance(balanceUsd),
    limit: hasCredit ? `${formatAmount(creditLimitUsd)} of credit below zero` : "Not below zero",
    resets: "When funds are added",
    reached: compareDecimals(spendableUsd, "0") <= 0,
    href: "/wallet",
  };
  if (alertUsd === null) return [balance];
  const alert: AccountLimit = {
    id: "alert",
    name: "Low-balance alert",
    used: formatBalance(spendableUsd),
    limit: `Email below ${formatAmount(alertUsd)}`,
    resets: "When funds are added",
    reached: compareDecimals(spendableUsd, alertUsd) < 0,
    href: "/settings/notifications",
  };
  return [alert, balance];
}

type Rates = Awaited<ReturnType<typeof api.accounts.limits.query>>;

function rateLimits(rates: Rates): readonly AccountLimit[] {
  const all = [
    ["Requests per minute", rates.requestsPerMinute, "Refills continuously"],
    ["Tokens per minute", rates.tokensPerMinute, "Refills continuously"],
    ["Concurrent requests", rates.concurrency, "When a request ends"],
  ] as const;
  return all.flatMap(([name, limit, resets]) => {
    if (limit === null) return [];
    const rate = { id: name, name, used: noData, limit: formatCount(limit), resets };
    return [{ ...rate, reached: false, href: "/settings/organization" }];
  });
}
