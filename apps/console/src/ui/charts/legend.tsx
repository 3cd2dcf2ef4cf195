// The legend: each series is a switch with its total.

import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { translateOf } from "../figures/machine-text.ts";
import type { ChartModel } from "./chart-model.ts";
import type { Series, SeriesColor } from "./chart-series.ts";
import { fillOf } from "./series-color.ts";
import { formatTogether } from "./value-text.ts";

export function Legend(props: { model: ChartModel }): JSX.Element {
  const { model } = props;
  const printed = createMemo(() =>
    formatTogether(
      model.props.unit,
      model.series().map(({ total }) => total),
    ),
  );
  const headlineOf = (series: Series) => {
    const own = model.props.headlines?.[series.id];
    if (own !== undefined) return own;
    return model.props.kind === "bars" ? printed()(series.total) : "";
  };
  return (
    <ul
      aria-label={`Shown in ${model.props.title}`}
      class="flex max-w-full min-h-7 min-w-0 flex-wrap gap-x-1 gap-y-1 pointer-coarse:min-h-11"
    >
      <For each={model.series()}>
        {(series) => (
          <li class="max-w-full min-w-0">
            <button
              type="button"
              aria-pressed={!model.isHidden(series.id)}
              onClick={() => model.toggle(series.id)}
              class="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-control px-2 text-sm transition-colors hover:bg-hover pointer-coarse:min-h-11"
            >
              <Swatch color={series.color} hollow={model.isHidden(series.id)} />
              <span
                translate={translateOf(series.label)}
                class="truncate"
                classList={{ "text-muted line-through": model.isHidden(series.id) }}
              >
                {series.label}
              </span>
              <span translate="no" class="figures text-muted">
                {headlineOf(series)}
              </span>
            </button>
          </li>
        )}
      </For>
      <Show when={model.props.previous}>
        <li class="flex min-h-7 items-center gap-1.5 px-2 text-sm text-muted">
          <svg aria-hidden="true" class="h-2.5 w-4 shrink-0" viewBox="0 0 16 10">
            <path d="M0 5H16" class="stroke-muted stroke-2" stroke-dasharray="4 2" />
          </svg>
          Previous period
        </li>
      </Show>
    </ul>
  );
}

export function Swatch(props: { color: SeriesColor; hollow?: boolean }): JSX.Element {
  return (
    <svg aria-hidden="true" class="size-2.5 shrink-0" viewBox="0 0 10 10">
      <rect
        x="0.75"
        y="0.75"
        width="8.5"
        height="8.5"
        rx="2"
        data-fill=""
        class={props.hollow ? "fill-none stroke-muted" : fillOf(props.color)}
      />
    </svg>
  );
}
