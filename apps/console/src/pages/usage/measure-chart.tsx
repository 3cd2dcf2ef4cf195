// The measure over time. A part of it that is selected (by drag, click or Enter) leads to its requests in Logs or
// becomes the range of the page; spend also says what the month will have cost.
import type { JSX } from "solid-js";
import { createMemo, createSignal, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import { ChartSkeleton } from "../../ui/charts/charts.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { measures } from "./measures.ts";
import { SumChart } from "./sum-chart.tsx";
import type { ExploredQuery, Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

const ExploredChart = lazy(loadOnce(() => import("./explored-chart.tsx")));
const Forecast = lazy(loadOnce(() => import("./forecast.tsx")));
const LatencyChart = lazy(loadOnce(() => import("./latency-chart.tsx")));
const Selection = lazy(loadOnce(() => import("./selection.tsx")));

const TokensChart = lazy(loadOnce(() => import("./tokens-chart.tsx")));

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
      <Suspense fallback={skeleton()}>
        <Switch fallback={<SumChart {...props} marked={marked()} onNarrow={select} />}>
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
      </Suspense>
      <Suspense>
        <Show when={selected()}>
          {(range) => <Selection range={range()} view={view} onDone={() => select(undefined)} />}
        </Show>
        <Show when={view.measure() === "spend"}>
          <Forecast view={view} />
        </Show>
      </Suspense>
    </div>
  );
}
