// Spend over time, stacked by model, key or another group: the chart of Overview and of Usage.
import { addDecimals, compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { formatChange, formatSum } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import type { BucketSize } from "../../ui/charts/bucket-time.ts";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import type { ChartBucket } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";

export type SpendChartProps = {
  /** With its unit: "Spend, USD per day". */
  title: string;
  buckets: readonly ChartBucket[];
  size: BucketSize;
  timeZone: string;
  groupBy?: keyof typeof pluralNames | undefined;
  /** Per bucket of the period before; drawn as a dashed line. */
  previous?: readonly string[] | undefined;
  previousTotalUsd?: string | undefined;
  /** Unusual days, by their starts. */
  marked?: ReadonlySet<string> | undefined;
  onNarrow?: ((range: ChartRange) => void) | undefined;
  onReset?: (() => void) | undefined;
  busy?: boolean | undefined;
};

export function SpendChart(props: SpendChartProps): JSX.Element {
  return (
    <Chart
      title={props.title}
      kind="bars"
      unit="usd"
      size={props.size}
      timeZone={props.timeZone}
      buckets={props.buckets}
      summary={summaryOf(props)}
      previous={props.previous}
      marked={props.marked}
      fileName="spend"
      onNarrow={props.onNarrow}
      onReset={props.onReset}
      busy={props.busy}
    />
  );
}

const pluralNames = {
  model: "models",
  key: "keys",
  project: "projects",
  provider: "providers",
  member: "members",
  operation: "operations",
  status: "statuses",
} as const;

function summaryOf(props: SpendChartProps): string {
  const groups = props.buckets.flatMap((bucket) => bucket.groups);
  const count = new Set(groups.map((group) => group.id)).size;
  const by = props.groupBy ?? "model";
  const names = counted(count, by, pluralNames[by]);
  const sum = addDecimals(groups.map((group) => group.value));
  const total = formatSum(sum);
  const before = props.previousTotalUsd;
  if (before === undefined || compareDecimals(before, "0") === 0) {
    return count > 1 ? `Spend is ${total}; ${names}` : `Spend is ${total}`;
  }
  const change = formatChange(Number(sum), Number(before)).replace(/^[+−]/, "");
  const direction = compareDecimals(sum, before);
  if (direction === 0) return `Spend unchanged at ${total} (${names})`;
  return direction > 0
    ? `Spend up ${change} to ${total} (${names})`
    : `Spend down ${change} to ${total} (${names})`;
}
