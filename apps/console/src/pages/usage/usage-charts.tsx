// The charts of Usage: spend, tokens and latency from the same answer as the cards, and any measure by a dimension.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatCompact, formatDuration } from "../../lib/format.ts";
import { narrowing } from "../../product/filters/narrowing.ts";
import { SpendChart } from "../../product/usage/spend-chart.tsx";
import type { ChartRange } from "../../ui/charts/chart-model.ts";
import { type ChartBucket, otherId } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { formatValue } from "../../ui/charts/value-text.ts";
import { labelOf, measures } from "./measures.ts";
import type { Explored, Usage } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type ChartViewProps = {
  view: UsageView;
  busy: boolean;
  onNarrow: (range: ChartRange) => void;
};
type OfUsage = ChartViewProps & { usage: Usage };
type Marked = {
  /** Unusual days. */
  marked: ReadonlySet<string>;
};

/** Also of the period before. */
export function GroupSpendChart(props: OfUsage & Marked): JSX.Element {
  const { view } = props;
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
        // Refused requests are not spending.
        .filter(({ costUsd }) => compareDecimals(costUsd, "0") !== 0)
        .map(({ id, costUsd }) => ({ id, label: labels().get(id) ?? id, value: costUsd })),
    })),
  );
  /** A period without requests has no line. */
  const previous = () =>
    props.usage.previous?.requests
      ? props.usage.previousSeries?.map((bucket) => bucket.costUsd)
      : undefined;
  return (
    <SpendChart
      title={`Spend, USD per ${props.usage.bucket}`}
      buckets={buckets()}
      size={props.usage.bucket}
      groupBy={view.groupBy()}
      previous={previous()}
      previousTotalUsd={props.usage.previous?.costUsd}
      marked={props.marked}
      busy={props.busy}
      {...narrowing(view)}
      onNarrow={props.onNarrow}
    />
  );
}

export function TokensChart(props: OfUsage): JSX.Element {
  const buckets = createMemo(() =>
    props.usage.series.map(({ at, groups }): ChartBucket => {
      const sum = (name: "promptTokens" | "completionTokens") =>
        groups.reduce((total, group) => total + group[name], 0).toString();
      return {
        at,
        groups: [
          { id: "input", label: "Input", value: sum("promptTokens") },
          { id: "output", label: "Output", value: sum("completionTokens") },
        ],
      };
    }),
  );
  const cards = () => props.usage.cards;
  return (
    <Chart
      title={`Tokens per ${props.usage.bucket}`}
      kind="bars"
      unit="count"
      size={props.usage.bucket}
      buckets={buckets()}
      colors={{ input: 1, output: 2 }}
      summary={`${formatCompact(cards().promptTokens)} tokens in, ${formatCompact(cards().cachedTokens)} of them cached; ${formatCompact(cards().completionTokens)} out.`}
      fileName="tokens"
      busy={props.busy}
      {...narrowing(props.view)}
      onNarrow={props.onNarrow}
    />
  );
}

const latencyNames = { p50: "p50", p95: "p95", firstToken: "First token p50" } as const;
const lines = [
  { id: "p50", field: "p50Ms" },
  { id: "p95", field: "p95Ms" },
  { id: "firstToken", field: "firstTokenP50Ms" },
] as const;

export function LatencyChart(props: OfUsage): JSX.Element {
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

type ExploredChartProps = ChartViewProps & Marked & { found: Explored };

export function ExploredChart(props: ExploredChartProps): JSX.Element {
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
