// Any measure over time by the first of its dimensions that is no time.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { otherId } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { formatValue } from "../../ui/charts/value-text.ts";
import { narrowing } from "../shared/narrowing.ts";
import { labelOf, measures } from "./measures.ts";
import type { ChartViewProps, Marked } from "./sum-chart.tsx";
import type { Explored } from "./use-usage.ts";

type ExploredChartProps = ChartViewProps & Marked & { found: Explored };

export default function ExploredChart(props: ExploredChartProps): JSX.Element {
  const { view } = props;
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
  const total = () => formatValue(measure().unit, props.found.total);
  return (
    <Chart
      title={`${measure().title} per ${props.found.bucket}`}
      kind={measure().isSum ? "bars" : "lines"}
      unit={measure().unit}
      size={props.found.bucket}
      buckets={buckets()}
      marked={props.marked}
      summary={`${total()} in this range.`}
      fileName={`usage-${view.measure()}`}
      busy={props.busy}
      {...narrowing(view)}
      onNarrow={props.onNarrow}
    />
  );
}
