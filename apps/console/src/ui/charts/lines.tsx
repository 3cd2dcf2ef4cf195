// Lines through the middle of each bucket, interrupted wherever there is no value; and the dashed line
// of the period before.
import { line } from "d3-shape";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { ChartModel } from "./chart-model.ts";
import type { Geometry } from "./geometry.ts";
import { fillOf, strokeOf } from "./series-color.ts";

type LinesProps = { model: ChartModel; geometry: Geometry };

export function Lines(props: LinesProps & { active: number | undefined }): JSX.Element {
  const point = (index: number, value: string) => ({
    cx: middleOf(props.geometry, index),
    cy: props.geometry.y(Number(value)),
  });
  /** A value without neighbors would be a line of zero length. */
  const isDot = (values: readonly (string | null)[], index: number) =>
    index === props.active ||
    ((values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null);
  return (
    <For each={props.model.visible()}>
      {(series) => (
        <g data-series={series.id}>
          <path
            d={pathOf(props.geometry, series.values)}
            data-fill=""
            class={`${strokeOf(series.color)} fill-none stroke-2`}
            stroke-linejoin="round"
          />
          <For each={series.values}>
            {(value, index) => (
              <Show when={value !== null && isDot(series.values, index())}>
                <circle
                  {...point(index(), value ?? "0")}
                  r="3.5"
                  data-fill=""
                  class={fillOf(series.color)}
                />
              </Show>
            )}
          </For>
        </g>
      )}
    </For>
  );
}

export function PreviousLine(props: LinesProps): JSX.Element {
  const values = () => props.model.props.previous?.slice(0, props.model.count());
  return (
    <Show when={values()}>
      {(previous) => (
        <path
          data-previous=""
          d={pathOf(props.geometry, previous())}
          class="fill-none stroke-muted stroke-2"
          stroke-dasharray="4 4"
        />
      )}
    </Show>
  );
}

function middleOf(geometry: Geometry, index: number): number {
  return geometry.x(index) + geometry.barWidth / 2;
}

function pathOf(geometry: Geometry, values: readonly (string | null)[]): string {
  const draw = line<string | null>()
    .defined((value) => value !== null)
    .x((_, index) => middleOf(geometry, index))
    .y((value) => geometry.y(Number(value ?? 0)));
  return draw([...values]) ?? "";
}
