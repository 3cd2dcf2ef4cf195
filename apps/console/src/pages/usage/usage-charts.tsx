// The views of the range over time: what it cost, how many tokens, how fast.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatCompact, formatDuration } from "../../lib/format.ts";
import type { ChartBucket } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { narrowing } from "../shared/narrowing.ts";
import { SpendChart } from "../shared/spend-chart.tsx";
import type { Usage } from "./usage-cards.tsx";
import type { UsageView } from "./use-usage-view.ts";

const latencyNames = { p50: "p50", p95: "p95", firstToken: "First token p50" } as const;

type ViewProps = { usage: Usage; view: UsageView; busy: boolean };

export function SpendView(props: ViewProps): JSX.Element {
  const labels = createMemo(() => new Map(props.usage.breakdown.map((row) => [row.id, row.label])));
  const buckets = createMemo(() =>
    props.usage.series.map(({ at, groups }) => ({
      at,
      groups: groups
        // Refused requests are not spending.
        .filter(({ costUsd }) => compareDecimals(costUsd, "0") !== 0)
        .map((group) => ({ ...group, label: labels().get(group.id) ?? group.id })),
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
      groupBy={props.view.get("group")}
      previous={previous()}
      previousTotalUsd={props.usage.previous?.costUsd}
      busy={props.busy}
      {...narrowing(props.view)}
    />
  );
}

export function TokensView(props: ViewProps): JSX.Element {
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
    />
  );
}

const lines = [
  { id: "p50", field: "p50Ms" },
  { id: "p95", field: "p95Ms" },
  { id: "firstToken", field: "firstTokenP50Ms" },
] as const;

export function PerformanceView(props: ViewProps): JSX.Element {
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
    />
  );
}
