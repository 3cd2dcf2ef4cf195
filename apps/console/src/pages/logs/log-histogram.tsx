// How many requests there were and how many failed, over the range; narrows it by drag or button.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { narrowing } from "../../product/filters/narrowing.ts";
import type { ChartBucket } from "../../ui/charts/chart-series.ts";
import { Chart } from "../../ui/charts/charts.tsx";
import type { LogsView } from "./use-logs-view.ts";

export type LogBars = NonNullable<Answers["logs"]["list"]["histogram"]>;
type LogHistogramProps = { bars: LogBars; view: LogsView; busy: boolean };

const minuteMs = 60_000;

export function LogHistogram(props: LogHistogramProps): JSX.Element {
  const buckets = createMemo(() =>
    props.bars.map(
      ({ at, ok, failed }): ChartBucket => ({
        at,
        groups: [
          { id: "ok", label: "Succeeded", value: `${ok}` },
          { id: "failed", label: "Failed or canceled", value: `${failed}` },
        ],
      }),
    ),
  );
  const widthMs = () => {
    const [first, second] = props.bars;
    return first && second ? Date.parse(second.at) - Date.parse(first.at) : minuteMs;
  };
  const summary = () => {
    const failed = props.bars.reduce((sum, bar) => sum + bar.failed, 0);
    const all = props.bars.reduce((sum, bar) => sum + bar.ok, failed);
    return describeOutcomes(all, failed);
  };
  return (
    <Chart
      title="Requests over time"
      kind="bars"
      unit="count"
      size={widthMs()}
      buckets={buckets()}
      colors={{ ok: 1, failed: "danger" }}
      summary={summary()}
      fileName="requests"
      short
      busy={props.busy}
      {...narrowing(props.view)}
    />
  );
}

/** `1 request, which failed or was canceled.`, `9 requests, 1 of them failed or was canceled.` */
export function describeOutcomes(all: number, failed: number): string {
  const numbers = { all: formatCount(all), failed: formatCount(failed) };
  if (failed === 0)
    return plural(
      all,
      `${numbers.all} request, which succeeded.`,
      `${numbers.all} requests, none failed.`,
    );
  if (failed === all)
    return plural(
      all,
      `${numbers.all} request, which failed or was canceled.`,
      `${numbers.all} requests, all of them failed or were canceled.`,
    );
  return plural(
    failed,
    `${numbers.all} requests, ${numbers.failed} of them failed or was canceled.`,
    `${numbers.all} requests, ${numbers.failed} of them failed or were canceled.`,
  );
}
