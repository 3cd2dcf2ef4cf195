// What adds up over time, from the same answer as the cards.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { formatValue } from "../../ui/charts/value-text.ts";
import { narrowing } from "../shared/narrowing.ts";
import { SpendChart } from "../shared/spend-chart.tsx";
import { isSummed, labelOf, measures, type Summed, summed } from "./measures.ts";
import type { Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

export type ChartViewProps = {
  view: UsageView;
  busy: boolean;
  onNarrow: (range: ChartRange) => void;
};
export type OfUsage = ChartViewProps & { usage: Usage };
export type Marked = {
  /** Unusual days. */
  marked: ReadonlySet<string>;
};

export function SumChart(props: OfUsage & Marked): JSX.Element {
  const { view } = props;
  const measure = (): Summed => {
    const shown = view.measure();
    return isSummed(shown) ? shown : "spend";
  };
  const labels = createMemo(
    () =>
      new Map(
        props.usage.breakdown.map((row) => [row.id, labelOf(view.groupBy(), row, view.timeZone())]),
      ),
  );
  const buckets = createMemo(() =>
    props.usage.series.map(({ at, groups }) => ({
      at,
      groups: groups
        .map((group) => ({
          id: group.id,
          label: labels().get(group.id) ?? group.id,
          value: `${group[summed[measure()]]}`,
        }))
        // Refused requests are not spending.
        .filter(({ value }) => compareDecimals(value, "0") !== 0),
    })),
  );
  /** A period without requests has no line. */
  const previous = () =>
    props.usage.previous?.requests
      ? props.usage.previousSeries?.map((bucket) => bucket.costUsd)
      : undefined;
  const title = () => `${measures[measure()].title} per ${props.usage.bucket}`;
  const shared = () => ({ ...narrowing(view), size: props.usage.bucket, title: title() });
  return (
    <Show
      when={measure() === "spend"}
      fallback={
        <Chart
          {...shared()}
          kind="bars"
          unit="count"
          buckets={buckets()}
          marked={props.marked}
          summary={`${formatValue("count", sumOf(props.usage.series, measure()))} in this range.`}
          fileName={`usage-${measure()}`}
          busy={props.busy}
          onNarrow={props.onNarrow}
        />
      }
    >
      <SpendChart
        {...shared()}
        buckets={buckets()}
        groupBy={view.groupBy()}
        previous={previous()}
        previousTotalUsd={props.usage.previous?.costUsd}
        marked={props.marked}
        busy={props.busy}
        onNarrow={props.onNarrow}
      />
    </Show>
  );
}

function sumOf(series: Usage["series"], measure: Summed): string {
  const values = series.flatMap(({ groups }) =>
    groups.map((group) => Number(group[summed[measure]])),
  );
  return `${values.reduce((total, value) => total + value, 0)}`;
}
