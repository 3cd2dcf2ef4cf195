// The charts as pages use them: in a lazy chunk that is fetched with the first chart, with a placeholder
// of the final height until then.
import type { JSX } from "solid-js";
import { lazy, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Skeleton } from "../states/skeleton.tsx";
import type { ChartProps } from "./chart-model.ts";
import { plotHeight } from "./geometry.ts";

const LazyChart = lazy(loadOnce(() => import("./chart.tsx")));
const LazySparkline = lazy(loadOnce(() => import("./sparkline.tsx")));

export function Chart(props: ChartProps): JSX.Element {
  return (
    <Suspense fallback={<ChartSkeleton title={props.title} short={props.short} />}>
      <LazyChart {...props} />
    </Suspense>
  );
}

export function Sparkline(props: { values: readonly string[] }): JSX.Element {
  return (
    <Suspense fallback={<div class="h-6" />}>
      <LazySparkline {...props} />
    </Suspense>
  );
}

/** Also while the numbers load: as high as the chart will be. */
export function ChartSkeleton(props: { title: string; short?: boolean | undefined }): JSX.Element {
  return (
    <div role="status" class="min-w-0 rounded-card border border-border bg-bg">
      <span class="sr-only">Loading {props.title}</span>
      <div class="px-5 pt-4">
        <h2 class="text-lg font-semibold">{props.title}</h2>
        <Skeleton class="mt-1.5 h-4 w-56" />
      </div>
      <div class="px-5 pt-3">
        <Skeleton class={`w-full ${plotHeight(props.short)}`} />
      </div>
      <div class="px-5 pt-3 pb-4">
        <Skeleton class="h-5 w-72 max-w-full" />
      </div>
    </div>
  );
}
