// The six figures of Overview; each links to its source.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { describeReserved } from "../../lib/describe-reserved.ts";
import { formatCount, formatDuration, formatShare, noData } from "../../lib/format.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { describeRunway } from "../../product/wallet/describe-runway.ts";
import { Money, MoneyText, Tokens } from "../../ui/figures/figures.tsx";
import { FigureCard } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";

type OverviewData = Answers["overview"]["read"];

export function Figures(props: { of: OverviewData; timeZone: string }): JSX.Element {
  // The same query as the balance pill: two would disagree while one of them is older.
  const wallet = useWallet();
  const mayRead = useMay("money.read");
  return (
    <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
      <Show when={mayRead()}>
        <FigureCard label="Balance" href="/wallet" note={<BalanceNote of={wallet.data} />}>
          <Balance of={wallet} />
        </FigureCard>
      </Show>
      <FigureCard label="Spend today" href="/usage?range=today" note={`In ${props.timeZone}`}>
        <Money usd={props.of.todayUsd} kind="sum" inRow />
      </FigureCard>
      <FigureCard
        label="This month"
        href="/usage?range=month"
        note={
          <MoneyText
            usd={props.of.lastMonthUsd}
            kind="sum"
            inRow
            text={(amount) => `${amount} last month`}
          />
        }
      >
        <Money usd={props.of.monthUsd} kind="sum" inRow />
      </FigureCard>
      <FigureCard
        label="Requests today"
        href="/usage?range=today"
        note={`${formatCount(props.of.requests)} in the last 30 days`}
      >
        <Tokens count={props.of.requestsToday} compact inRow />
      </FigureCard>
      <FigureCard label="Error rate" href="/usage?range=30d&tab=errors" note="Last 30 days">
        {formatShare(props.of.errorRate)}
      </FigureCard>
      <FigureCard
        label="Median latency"
        href="/usage?range=30d&tab=performance"
        note="Last 30 days"
      >
        {formatDuration(props.of.medianLatencyMs)}
      </FigureCard>
    </div>
  );
}

/** An unknown amount is not shown as zero. */
function Balance(props: { of: ReturnType<typeof useWallet> }): JSX.Element {
  return (
    <Switch fallback={<Skeleton class="h-7 w-28" />}>
      <Match when={props.of.data}>
        {(data) => <Money usd={data().balanceUsd} kind="balance" inRow />}
      </Match>
      <Match when={props.of.isError}>{noData}</Match>
    </Switch>
  );
}

/** Stacked above the card's own link. */
function BalanceNote(props: { of: Answers["wallet"]["summary"] | undefined }): JSX.Element {
  const mayChange = useMay("money.change");
  const runwayDays = () => props.of?.runwayDays ?? null;
  return (
    <span class="flex flex-wrap justify-between gap-x-3">
      <Show when={props.of && describeReserved(props.of)}>{(text) => <span>{text()}</span>}</Show>
      <Show when={runwayDays() !== null}>
        <span>{describeRunway(runwayDays() ?? 0)}</span>
      </Show>
      <Show when={mayChange()}>
        <A href="/wallet?do=add-funds" class="link relative whitespace-nowrap">
          Add funds
        </A>
      </Show>
    </span>
  );
}
