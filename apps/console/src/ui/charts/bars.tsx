// Stacked bars. Geometry uses floats; every text of a chart uses the exact values.
import { type SeriesPoint, stack } from "d3-shape";
import type { JSX } from "solid-js";
import { createMemo, For, Index, Show } from "solid-js";
import type { ChartModel } from "./chart-model.ts";
import type { Series } from "./chart-series.ts";
import type { Geometry } from "./geometry.ts";
import { fillOf } from "./series-color.ts";

export function Bars(props: { model: ChartModel; geometry: Geometry }): JSX.Element {
  const layers = createMemo(() => {
    const visible = props.model.visible();
    const rows = Array.from({ length: props.model.count() }, (_, index) => index);
    const layOut = stack<unknown, number, Series>()
      .keys([...visible])
      .value((index, series) => Number(series.values[index] ?? 0));
    return layOut(rows).map((points) => ({ series: points.key, points: [...points] }));
  });
  return (
    <For each={layers()}>
      {({ series, points }) => (
        <g class={fillOf(series.color)} data-fill="" data-series={series.id}>
          <Index each={points}>
            {(point, index) => <Bar point={point()} index={index} geometry={props.geometry} />}
          </Index>
        </g>
      )}
    </For>
  );
}

type BarProps = { point: SeriesPoint<number>; index: number; geometry: Geometry };

function Bar(props: BarProps): JSX.Element {
  const height = () => props.geometry.y(props.point[0]) - props.geometry.y(props.point[1]);
  return (
    <Show when={height() > 0}>
      <rect
        x={props.geometry.x(props.index)}
        width={props.geometry.barWidth}
        y={props.geometry.y(props.point[1])}
        height={height()}
      />
    </Show>
  );
}
