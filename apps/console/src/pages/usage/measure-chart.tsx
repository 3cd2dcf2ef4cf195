// The measure over time. A part of it that is selected (by drag, click or Enter) leads to its requests in Logs or
// becomes the range of the page; spend also says what the month will have cost.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { dayOf, formatDateTime, formatDay, formatSum } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button, buttonClass } from "../../ui/buttons/button.tsx";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { Figure } from "../../ui/figures/figures.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { measures } from "./measures.ts";
import { ExploredChart, GroupSpendChart, LatencyChart, TokensChart } from "./usage-charts.tsx";
import type { ExploredQuery, Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type MeasureChartProps = {
  usage: Usage;
  explored: ExploredQuery;
  view: UsageView;
  busy: boolean;
};

export default function MeasureChart(props: MeasureChartProps): JSX.Element {
  const { view } = props;
  const [selected, select] = createSignal<ChartRange>();
  const marked = createMemo(
    () => new Set(props.explored.data?.unusual.map(({ at }) => at) ?? []),
    undefined,
    { equals: (one, other) => one.symmetricDifference(other).size === 0 },
  );
  const skeleton = () => <ChartSkeleton title={measures[view.measure()].title} />;
  return (
    <div class="flex flex-col gap-2">
      <Switch fallback={<GroupSpendChart {...props} marked={marked()} onNarrow={select} />}>
        <Match when={view.measure() === "tokens"}>
          <TokensChart {...props} onNarrow={select} />
        </Match>
        <Match when={view.measure() === "latency"}>
          <LatencyChart {...props} onNarrow={select} />
        </Match>
        <Match when={view.chartsExplored()}>
          <Loaded query={props.explored} what="your usage" skeleton={skeleton()}>
            {(found) => (
              <ExploredChart
                found={found()}
                view={view}
                marked={marked()}
                busy={props.explored.isPlaceholderData}
                onNarrow={select}
              />
            )}
          </Loaded>
        </Match>
      </Switch>
      <Show when={selected()}>
        {(range) => <Selection range={range()} view={view} onDone={() => select(undefined)} />}
      </Show>
      <Show when={view.measure() === "spend"}>
        <Forecast view={view} />
      </Show>
    </div>
  );
}

type SelectionProps = { range: ChartRange; view: UsageView; onDone: () => void };

function Selection(props: SelectionProps): JSX.Element {
  const print = (at: string) => formatDateTime(new Date(at), props.view.timeZone());
  const narrow = () => {
    props.view.set({ range: { name: "custom", ...props.range } });
    props.onDone();
  };
  return (
    <div
      role="status"
      class="flex flex-wrap items-center gap-2 rounded-card border border-border bg-surface px-4 py-2 text-sm"
    >
      <span class="me-auto">
        Selected {print(props.range.from)} to {print(props.range.to)}
      </span>
      <Show when={props.view.logsHref({ range: "", ...props.range })}>
        {(href) => (
          <A href={href()} class={buttonClass({ size: "small", variant: "primary" })}>
            View logs
          </A>
        )}
      </Show>
      <Button size="small" onClick={narrow}>
        Narrow to it
      </Button>
      <Button size="small" variant="ghost" onClick={props.onDone}>
        Cancel
      </Button>
    </div>
  );
}

function Forecast(props: { view: UsageView }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["usage", "forecast", ...props.view.forecastKey()],
    queryFn: ({ signal }) =>
      api.usage.forecast.query(props.view.forecastInput(new Date()), { signal }),
  }));
  const end = (to: string) => formatDay(dayOf(new Date(Date.parse(to) - 1), props.view.timeZone()));
  return (
    <Show when={query.data}>
      {(forecast) => (
        <p class="px-1 text-sm text-muted" data-forecast="">
          <Show
            when={forecast().expectedUsd}
            fallback={`This month: ${formatSum(forecast().spentUsd)}, nothing in the last 7 days.`}
          >
            {(usd) => (
              <>
                This month: <Figure>{formatSum(forecast().spentUsd)}</Figure> so far.{" "}
                <strong class="font-medium text-text">
                  About <Figure>{formatSum(usd())}</Figure>
                </strong>{" "}
                by {end(forecast().to)} at the pace of the last{" "}
                {plural(forecast().basedOnDays, "day", `${forecast().basedOnDays} days`)}.
              </>
            )}
          </Show>
        </p>
      )}
    </Show>
  );
}
