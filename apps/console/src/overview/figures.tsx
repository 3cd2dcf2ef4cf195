// The six figures of Overview; each leads to where it comes from.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatCost, formatCount, formatDuration, formatShare } from "../format.ts";
import { FigureCard } from "../ui/card.tsx";
import { Money, Tokens } from "../ui/figures.tsx";
import { describeRunway } from "../wallet/describe-runway.ts";
import type { OverviewData } from "./overview-page.tsx";
import { t } from "./texts.ts";

export function Figures(props: { of: OverviewData; timeZone: string }): JSX.Element {
  return (
    <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
      <FigureCard
        label={t("card.balance")}
        href="/wallet"
        note={<BalanceNote runwayDays={props.of.wallet.runwayDays} />}
      >
        <Money usd={props.of.wallet.availableUsd} kind="balance" inRow />
      </FigureCard>
      <FigureCard
        label={t("card.today")}
        href="/usage?range=today"
        note={t("card.zone", { zone: props.timeZone })}
      >
        <Money usd={props.of.todayUsd} inRow />
      </FigureCard>
      <FigureCard
        label={t("card.month")}
        href="/usage?range=month"
        note={t("card.lastMonth", { amount: formatCost(props.of.lastMonthUsd) })}
      >
        <Money usd={props.of.monthUsd} inRow />
      </FigureCard>
      <FigureCard
        label={t("card.requests")}
        href="/usage?range=today"
        note={t("card.requestsNote", { count: formatCount(props.of.requests) })}
      >
        <Tokens count={props.of.requestsToday} compact inRow />
      </FigureCard>
      <FigureCard label={t("card.errors")} href="/usage?range=30d&tab=errors" note={t("card.days")}>
        {formatShare(props.of.errorRate)}
      </FigureCard>
      <FigureCard
        label={t("card.latency")}
        href="/usage?range=30d&tab=performance"
        note={t("card.days")}
      >
        {formatDuration(props.of.medianLatencyMs)}
      </FigureCard>
    </div>
  );
}

/** The link stands above the card's own. */
function BalanceNote(props: { runwayDays: number | null }): JSX.Element {
  return (
    <span class="flex flex-wrap justify-between gap-x-3">
      <Show when={props.runwayDays !== null}>
        <span>{describeRunway(props.runwayDays ?? 0)}</span>
      </Show>
      <A href="/wallet?add=1" class="link relative whitespace-nowrap">
        {t("card.addFunds")}
      </A>
    </span>
  );
}
