// The measure over time. A part of it that is selected (by drag, click or Enter) leads to its requests in Logs or
// becomes the range of the page; spend also says what the month will have cost.

import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { dayOf, formatDateTime, formatDay, formatSum } from "../../../lib/format.ts";
import { plural } from "../../../lib/plural.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import type { ChartRange } from "../../../ui/charts/chart-model.ts";
import { otherId } from "../../../ui/charts/chart-series.ts";
import { Chart } from "../../../ui/charts/charts.tsx";
import { formatValue } from "../../../ui/charts/value-text.ts";
import { Figure } from "../../../ui/figures.tsx";
import { narrowing } from "../../shared/narrowing.ts";
import { labelOf, measures } from "./dimensions.ts";
import type { ExploreView } from "./use-explore-view.ts";

export type Explored = Answers["usage"]["explore"];
type ExploreChartProps = { found: Explored; view: ExploreView; busy: boolean };

export function ExploreChart(props: ExploreChartProps): JSX.Element {
  const { view } = props;
  const [selected, select] = createSignal<ChartRange>();
  const measure = () => measures[view.measure()];
  const buckets = createMemo(() =>
    props.found.series.map(({ at, groups }) => ({
      at,
      groups: groups.flatMap((group) => {
        const { by } = props.found;
        // Lines of many calls together, beside those of some, would be read as one of them.
        if (group.id === null && by !== null && !measure().isSum) return [];
        const label = by === null ? measure().name : labelOf(by, group, view.timeZone());
        return [{ id: group.id ?? otherId, label, value: group.value }];
      }),
    })),
  );
  const marked = createMemo(() => new Set(props.found.unusual.map(({ at }) => at)));
  const total = () => formatValue(measure().unit, props.found.total);
  return (
    <div class="flex flex-col gap-2">
      <Chart
        title={`${measure().title} per ${props.found.bucket}`}
        kind={measure().isSum ? "bars" : "lines"}
        unit={measure().unit}
        size={props.found.bucket}
        buckets={buckets()}
        marked={marked()}
        summary={`${total()} in this range.`}
        fileName={`explore-${view.measure()}`}
        busy={props.busy}
        {...narrowing(view)}
        onNarrow={select}
      />
      <Show when={selected()}>
        {(range) => <Selection range={range()} view={view} onDone={() => select(undefined)} />}
      </Show>
      <Show when={view.measure() === "spend"}>
        <Forecast view={view} />
      </Show>
    </div>
  );
}

type SelectionProps = { range: ChartRange; view: ExploreView; onDone: () => void };

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

function Forecast(props: { view: ExploreView }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["usage", "forecast", ...props.view.key()],
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
