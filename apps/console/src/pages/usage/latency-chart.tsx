// How long completed requests took over time.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatDuration } from "../../lib/format.ts";
import type { ChartBucket } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { narrowing } from "../shared/narrowing.ts";
import type { OfUsage } from "./sum-chart.tsx";

const latencyNames = { p50: "p50", p95: "p95", firstToken: "First token p50" } as const;

const lines = [
  { id: "p50", field: "p50Ms" },
  { id: "p95", field: "p95Ms" },
  { id: "firstToken", field: "firstTokenP50Ms" },
] as const;

export default function LatencyChart(props: OfUsage): JSX.Element {
  const buckets = createMemo(() => {
    const found = new Map(props.usage.latency.map((bucket) => [bucket.at, bucket]));
    return props.usage.series.map(({ at }): ChartBucket => {
      const bucket = found.get(at);
      const groups = lines.flatMap(({ id, field }) => {
        const value = bucket?.[field] ?? null;
        return value === null ? [] : [{ id, label: latencyNames[id], value: value.toFixed(1) }];
      });
      return { at, groups };
    });
  });
  const cards = () => props.usage.cards;
  return (
    <Chart
      title={`Latency of completed requests, per ${props.usage.bucket}`}
      kind="lines"
      unit="ms"
      size={props.usage.bucket}
      buckets={buckets()}
      colors={{ p50: 1, p95: 2, firstToken: 5 }}
      headlines={Object.fromEntries(
        lines.map(({ id, field }) => [id, formatDuration(cards()[field])]),
      )}
      summary={`p50 ${formatDuration(cards().p50Ms)}, p95 ${formatDuration(cards().p95Ms)}.`}
      fileName="latency"
      busy={props.busy}
      {...narrowing(props.view)}
      onNarrow={props.onNarrow}
    />
  );
}
