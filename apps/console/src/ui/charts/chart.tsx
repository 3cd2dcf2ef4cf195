// A chart in its card: title with the unit, a one-sentence summary, the plot or the same numbers as a
// table, and the legend. Heights are fixed, so nothing moves while it loads.
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, Show } from "solid-js";
import { downloadFile } from "../../lib/download-file.ts";
import { Button } from "../buttons/button.tsx";
import { ProgressBar } from "../states/skeleton.tsx";
import { type ChartModel, type ChartProps, createChartModel } from "./chart-model.ts";
import { ChartTable, csvOf } from "./chart-table.tsx";
import { Legend } from "./legend.tsx";
import { Plot } from "./plot.tsx";

export default function Chart(props: ChartProps): JSX.Element {
  const id = createUniqueId();
  const model = createChartModel(props);
  const [asTable, setAsTable] = createSignal(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups a drawing
    <div
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-summary`}
      class="min-w-0 rounded-card border border-border bg-bg"
    >
      <ProgressBar active={props.busy === true} />
      <header class="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 px-5 pt-4">
        <div class="min-w-0">
          <h2 id={`${id}-title`} class="text-lg font-semibold">
            {props.title}
          </h2>
          <p id={`${id}-summary`} class="mt-0.5 text-sm text-muted">
            {props.summary}
          </p>
        </div>
        <Tools model={model} asTable={asTable()} onTable={() => setAsTable((shown) => !shown)} />
      </header>
      <div class="px-5 pt-3 transition-opacity" classList={{ "opacity-60": props.busy === true }}>
        <Show when={asTable()} fallback={<Plot model={model} />}>
          <ChartTable model={model} />
        </Show>
      </div>
      <footer class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 pt-2 pb-3">
        <Legend model={model} />
        <p class="px-2 text-xs text-muted">Times in {props.timeZone}</p>
      </footer>
    </div>
  );
}

type ToolsProps = {
  model: ChartModel;
  asTable: boolean;
  onTable: () => void;
};

function Tools(props: ToolsProps): JSX.Element {
  const { model } = props;
  return (
    <div class="-mx-2 flex flex-wrap items-center gap-1">
      <Show when={model.props.onReset}>
        {(reset) => (
          <Button size="small" variant="ghost" onClick={() => reset()()}>
            Reset
          </Button>
        )}
      </Show>
      <Button
        size="small"
        variant="ghost"
        aria-pressed={props.asTable}
        class={props.asTable ? "bg-hover" : ""}
        onClick={props.onTable}
      >
        View as table
      </Button>
      <Button
        size="small"
        variant="ghost"
        onClick={() => downloadFile(`${model.props.fileName}.csv`, csvOf(model))}
      >
        Download CSV
      </Button>
    </div>
  );
}
