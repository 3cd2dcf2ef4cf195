// Overview: is everything fine, and what comes next? A new account sees three steps instead of empty
// charts.
import { A } from "@solidjs/router";
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Index, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatBalance } from "../../lib/format.ts";
import { useAccount, useMay, useTimeZone, useWallet } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { CoverageNote } from "../../product/usage/coverage-note.tsx";
import { SpendChart } from "../../product/usage/spend-chart.tsx";
import { AddFundsButton } from "../../shell/add-funds.tsx";
import { ChartNoAxesColumn } from "../../ui/icons.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { Figures } from "./figures.tsx";
import { GetStarted } from "./get-started.tsx";
import { LastRequests, TopKeys } from "./lists.tsx";

type OverviewData = Answers["overview"]["read"];

const liveMs = 30_000;
/** While someone waits for their first request to arrive. */
const waitingMs = 2_000;

export default function OverviewPage(): JSX.Element {
  const timeZone = useTimeZone();
  const query = useQuery(() => ({
    queryKey: ["overview", timeZone()],
    queryFn: ({ signal }) => api.overview.read.query({ timeZone: timeZone() }, { signal }),
    refetchInterval: ({ state }) => (state.data?.steps.hasRequest === false ? waitingMs : liveMs),
  }));
  return (
    <Loaded query={query} what="your overview" skeleton={<OverviewSkeleton />}>
      {(data) => <Overview of={data()} timeZone={timeZone()} />}
    </Loaded>
  );
}

function Overview(props: { of: OverviewData; timeZone: string }): JSX.Element {
  const mayChange = useMay("keys.change");
  const mayReadLogs = useMay("logs.read");
  const used = () => props.of.requests > 0 || props.of.lastRequests.length > 0;
  const buckets = () =>
    props.of.series.map(({ day, models }) => ({
      at: day,
      // Refused requests are not spending.
      groups: models
        .filter(({ costUsd }) => compareDecimals(costUsd, "0") !== 0)
        .map(({ model, costUsd }) => ({ id: model, label: model, value: costUsd })),
    }));
  return (
    <div class="flex flex-col gap-5">
      <Show when={mayChange()}>
        <GetStarted of={props.of} />
      </Show>
      <Show when={!used() && !mayChange()}>
        <NothingYet />
      </Show>
      <Show when={used()}>
        <CoverageNote from={props.of.coveredFrom} />
        <Figures of={props.of} timeZone={props.timeZone} />
        <SpendChart
          title="Spend, USD per day"
          buckets={buckets()}
          size="day"
          timeZone={props.timeZone}
        />
        <div class="grid gap-5 xl:grid-cols-[2fr_3fr]">
          <TopKeys rows={props.of.topKeys} />
          <Show when={mayReadLogs()}>
            <LastRequests rows={props.of.lastRequests} />
          </Show>
        </div>
      </Show>
    </div>
  );
}

/** For members who make no requests themselves. */
function NothingYet(): JSX.Element {
  const account = useAccount();
  const mayPay = useMay("money.change");
  const wallet = useWallet();
  const amount = () => wallet.data && formatBalance(wallet.data.balanceUsd);
  return (
    <Card flush>
      <EmptyState
        title="No requests yet."
        icon={<ChartNoAxesColumn class="size-5" />}
        action={
          <Show when={mayPay() && wallet.data?.funded === false}>
            <AddFundsButton />
          </Show>
        }
        link={
          <A href="/models" class="link">
            See models and prices
          </A>
        }
      >
        <p class="text-center text-muted">
          Owners, admins and developers of {account()?.name} send requests with API keys. What they
          cost appears here.
        </p>
        <Show when={amount()}>
          {(balance) => <p class="mt-2 text-center text-muted">The balance is {balance()}.</p>}
        </Show>
      </EmptyState>
    </Card>
  );
}

function OverviewSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
        <Index each={Array.from({ length: 6 })}>
          {() => <Skeleton class="h-[6.75rem] rounded-card!" />}
        </Index>
      </div>
      <Skeleton class="h-72 rounded-card! sm:h-96" />
    </div>
  );
}
