// Spend over time, stacked by model, key, project or provider: the chart of Overview, of a key and of Usage.
import { addDecimals, compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatChange, formatSum } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import type { BucketSize } from "../../ui/charts/bucket-time.ts";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import { Chart } from "../../ui/charts/charts.tsx";

export type SpendBucket = {
  /** Start, ISO 8601. */
  readonly at: string;
  readonly groups: readonly {
    readonly id: string;
    readonly label: string;
    readonly costUsd: string;
  }[];
};

export type SpendChartProps = {
  /** With its unit: "Spend, USD per day". */
  title: string;
  buckets: readonly SpendBucket[];
  size: BucketSize;
  timeZone: string;
  groupBy?: "model" | "key" | "project" | "provider" | undefined;
  /** Per bucket of the period before; drawn as a dashed line. */
  previous?: readonly string[] | undefined;
  previousTotalUsd?: string | undefined;
  onNarrow?: ((range: ChartRange) => void) | undefined;
  onReset?: (() => void) | undefined;
  busy?: boolean | undefined;
};

export function SpendChart(props: SpendChartProps): JSX.Element {
  const buckets = createMemo(() =>
    props.buckets.map(({ at, groups }) => ({
      at,
      groups: groups.map(({ id, label, costUsd }) => ({ id, label, value: costUsd })),
    })),
  );
  return (
    <Chart
      title={props.title}
      kind="bars"
      unit="usd"
      size={props.size}
      timeZone={props.timeZone}
      buckets={buckets()}
      summary={summaryOf(props)}
      previous={props.previous}
      fileName="spend"
      onNarrow={props.onNarrow}
      onReset={props.onReset}
      busy={props.busy}
    />
  );
}

function summaryOf(props: SpendChartProps): string {
  const groups = props.buckets.flatMap((bucket) => bucket.groups);
  const count = new Set(groups.map((group) => group.id)).size;
  const names = {
    model: counted(count, "model"),
    key: counted(count, "key"),
    project: counted(count, "project"),
    provider: counted(count, "provider"),
  }[props.groupBy ?? "model"];
  const sum = addDecimals(groups.map((group) => group.costUsd));
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
