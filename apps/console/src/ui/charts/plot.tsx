// The drawing itself: grid and axis, stacked bars or lines, the running bucket fainter, the bucket
// the reader is at, and its tooltip. Text and shapes take their colors from the theme.
import { scaleBand, scaleLinear } from "d3-scale";
import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { axisOf } from "./axis.ts";
import { Bars } from "./bars.tsx";
import type { ChartModel } from "./chart-model.ts";
import { ChartTip } from "./chart-tip.tsx";
import { type Geometry, plotHeight } from "./geometry.ts";
import { Lines, PreviousLine } from "./lines.tsx";
import { createPlotState, type PlotState } from "./plot-state.ts";

const above = 18;
const below = 24;
const tickCharPx = 6.6;
const labelPx = 64;

export function Plot(props: { model: ChartModel }): JSX.Element {
  const { model } = props;
  const state: PlotState = createPlotState(model, (offset) => {
    const index = Math.floor((offset - geometry().left) / geometry().step);
    return index >= 0 && index < model.count() ? index : undefined;
  });
  const geometry = createMemo(() => layOut(model, state.size()));
  const title = () => model.props.title;
  return (
    <div
      role="application"
      tabindex={0}
      aria-label={
        model.props.onNarrow
          ? `${title()}. Arrow keys move through the bars, Enter narrows, Escape leaves.`
          : `${title()}. Arrow keys move through the values, Escape leaves.`
      }
      class={`relative touch-pan-y rounded-control select-none ${plotHeight(model.props.short)}`}
      ref={state.measure}
      onKeyDown={state.onKeyDown}
      onBlur={state.onBlur}
      {...state.pointer}
    >
      <svg
        aria-hidden="true"
        class="absolute inset-0 size-full overflow-visible"
        viewBox={`0 0 ${geometry().width} ${geometry().height}`}
      >
        <Grid model={model} geometry={geometry()} />
        <Marked state={state} geometry={geometry()} />
        <Show
          when={model.props.kind === "bars"}
          fallback={<Lines model={model} geometry={geometry()} active={state.active()} />}
        >
          <Bars model={model} geometry={geometry()} />
        </Show>
        <Show when={!model.isEmpty()}>
          <Running model={model} geometry={geometry()} />
        </Show>
        <PreviousLine model={model} geometry={geometry()} />
        <Marks model={model} geometry={geometry()} />
      </svg>
      <Show when={model.isEmpty()}>
        <p
          data-empty=""
          class="pointer-events-none absolute inset-0 flex items-center justify-center pb-6 text-sm text-muted"
        >
          <span class="rounded-full bg-bg px-3 py-1">No data in this period</span>
        </p>
      </Show>
      <Show when={boxed(state.active())}>
        {(at) => <ChartTip model={model} geometry={geometry()} index={at().index} />}
      </Show>
      <span class="sr-only" aria-live="assertive" data-announced="">
        {state.announced()}
      </span>
    </div>
  );
}

/** Wrapped, because `Show` would treat the first bucket, 0, as nothing. */
function boxed(index: number | undefined): { readonly index: number } | undefined {
  return index === undefined ? undefined : { index };
}

function layOut(model: ChartModel, { width, height }: { width: number; height: number }): Geometry {
  const axis = axisOf(model.props.unit, largestOf(model));
  const longest = Math.max(...axis.ticks.map((tick) => tick.label.length));
  const left = Math.ceil(longest * tickCharPx) + 12;
  const band = scaleBand<number>()
    .domain(Array.from({ length: model.count() }, (_, index) => index))
    .range([left, width])
    .paddingInner(0.25)
    .paddingOuter(0.125);
  const y = scaleLinear()
    .domain([0, axis.top])
    .range([height - below, above]);
  return {
    width,
    height,
    left,
    axis,
    x: (index) => band(index) ?? left,
    barWidth: band.bandwidth(),
    step: band.step(),
    y,
  };
}

function largestOf(model: ChartModel): number {
  const { kind, previous = [] } = model.props;
  const values =
    kind === "bars" ? model.totals() : model.visible().flatMap((series) => series.values);
  return Math.max(0, ...[...values, ...previous].map((value) => Number(value ?? 0)));
}

type PartProps = { model: ChartModel; geometry: Geometry };

function Grid(props: PartProps): JSX.Element {
  /** Counted from the end: the newest is always labeled. */
  const labeled = createMemo(() => {
    const names = props.model.axisNames();
    const room = (props.geometry.width - props.geometry.left) / labelPx;
    const every = Math.max(1, Math.ceil(names.length / room));
    return names.filter((_, index) => (names.length - 1 - index) % every === 0);
  });
  const middle = (index: number) => props.geometry.x(index) + props.geometry.barWidth / 2;
  return (
    <g class="text-xs">
      <For each={props.geometry.axis.ticks}>
        {(tick) => (
          <>
            <line
              x1={props.geometry.left}
              x2={props.geometry.width}
              y1={props.geometry.y(tick.value)}
              y2={props.geometry.y(tick.value)}
              class={tick.value === 0 ? "stroke-control" : "stroke-border"}
            />
            <text
              x={props.geometry.left - 8}
              y={props.geometry.y(tick.value)}
              dy="0.32em"
              text-anchor="end"
              class="figures fill-muted"
            >
              {tick.label}
            </text>
          </>
        )}
      </For>
      <For each={labeled()}>
        {({ index, name }) => (
          <text
            x={Math.min(middle(index), props.geometry.width - 20)}
            y={props.geometry.height - 6}
            text-anchor="middle"
            class="figures fill-muted"
          >
            {name}
          </text>
        )}
      </For>
    </g>
  );
}

/** The active bucket, or the dragged selection. */
function Marked(props: { state: PlotState; geometry: Geometry }): JSX.Element {
  const range = () => {
    const index = props.state.active();
    return props.state.dragged() ?? (index === undefined ? undefined : ([index, index] as const));
  };
  return (
    <Show when={range()}>
      {(marked) => (
        <rect
          data-marked=""
          x={props.geometry.x(marked()[0]) - (props.geometry.step - props.geometry.barWidth) / 2}
          width={props.geometry.step * (marked()[1] - marked()[0] + 1)}
          y={above}
          height={props.geometry.height - above - below}
          class="fill-hover stroke-border"
        />
      )}
    </Show>
  );
}

/** A triangle above each bucket that is unlike the others. */
function Marks(props: PartProps): JSX.Element {
  const marked = () =>
    Array.from({ length: props.model.count() }, (_, index) => index).filter(props.model.isMarked);
  const path = (index: number) => {
    const middle = props.geometry.x(index) + props.geometry.barWidth / 2;
    return `M${middle - 5} 2h10l-5 8z`;
  };
  return (
    <For each={marked()}>
      {(index) => <path data-unusual="" data-fill="" d={path(index)} class="fill-warning" />}
    </For>
  );
}

/** Fainter: this bucket is still growing, as its tip says. */
function Running(props: PartProps): JSX.Element {
  const top = (index: number) => props.geometry.y(Number(props.model.totals()[index] ?? 0));
  return (
    <Show when={props.model.props.kind === "bars" && boxed(props.model.running())}>
      {(at) => (
        <rect
          data-running=""
          x={props.geometry.x(at().index)}
          width={props.geometry.barWidth}
          y={top(at().index)}
          height={props.geometry.y(0) - top(at().index)}
          class="fill-bg opacity-45"
        />
      )}
    </Show>
  );
}
