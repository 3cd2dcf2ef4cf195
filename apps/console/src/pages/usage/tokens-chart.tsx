// Input and output tokens over time.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { formatCompact } from "../../lib/format.ts";
import type { ChartBucket } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import { narrowing } from "../shared/narrowing.ts";
import type { OfUsage } from "./sum-chart.tsx";

export default function TokensChart(props: OfUsage): JSX.Element {
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
