// The selected models side by side: the same rows for each.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCount, formatPrice, noData } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { capabilityNames } from "./ability-list.tsx";
import { abilities, hasOutput, isAble, type Model } from "./model-query.ts";
import type { ShownModels } from "./use-model-query.ts";

type CompareProps = { models: readonly Model[]; shown: ShownModels; most: number };

/** Shown at the bottom while models are selected. */
export function CompareBar(props: CompareProps): JSX.Element {
  const { shown } = props;
  return (
    <Show when={props.models.length > 0}>
      <div class="sticky bottom-20 z-20 mx-auto mt-4 flex w-fit flex-wrap items-center justify-center gap-3 rounded-card border border-border bg-raised px-4 py-2.5 shadow-popover sm:bottom-4">
        <span role="status" class="text-sm">
          {plural(
            props.models.length,
            `${props.models.length} model selected`,
            `${props.models.length} models selected`,
          )}
          <Show when={props.models.length >= props.most}>
            <span class="text-muted"> · Compare up to {props.most} at a time</span>
          </Show>
        </span>
        <Button size="small" variant="ghost" onClick={() => shown.choose([])}>
          Clear
        </Button>
        <Button
          size="small"
          variant="primary"
          disabled={props.models.length < 2}
          onClick={() => shown.showComparison(true)}
        >
          Compare side by side
        </Button>
      </div>
    </Show>
  );
}

export function CompareDialog(props: CompareProps): JSX.Element {
  return (
    <Dialog
      open={props.shown.isComparing() && props.models.length > 0}
      onOpenChange={props.shown.showComparison}
      title="Compare models"
      description="Prices per 1M tokens, USD"
      shape="wide"
      flush
    >
      <Comparison models={props.models} />
    </Dialog>
  );
}

type Row = { readonly title: string; readonly value: (model: Model) => JSX.Element };

const rows: readonly Row[] = [
  { title: "Provider", value: (model) => model.provider },
  { title: "Input", value: (model) => formatPrice(model.prices.inputUsd) },
  { title: "Cached", value: (model) => formatPrice(model.prices.cachedInputUsd) },
  {
    title: "Output",
    value: (model) => (hasOutput(model) ? formatPrice(model.prices.outputUsd) : noData),
  },
  { title: "Context", value: (model) => formatCount(model.contextTokens) },
  { title: "Max output", value: (model) => formatCount(model.maxOutputTokens) },
  ...abilities.map((ability) => ({
    title: capabilityNames[ability],
    value: (model: Model) => (isAble(model, ability) ? "Yes" : "No"),
  })),
];

function Comparison(props: { models: readonly Model[] }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it must be scrollable sideways by keyboard
    <div
      role="region"
      aria-label="The selected models side by side"
      tabindex={0}
      class="overflow-x-auto -outline-offset-2!"
    >
      <table class="w-full border-separate border-spacing-0 text-sm">
        <caption class="sr-only">The selected models side by side</caption>
        <thead>
          <tr>
            <th
              scope="col"
              class="sticky start-0 border-b border-border bg-raised px-5 py-3 text-start"
            >
              <span class="sr-only">Property</span>
            </th>
            <For each={props.models}>
              {(model) => (
                <th
                  scope="col"
                  class="min-w-36 border-b border-border px-4 py-3 text-start align-bottom"
                >
                  <A href={`/models/${model.id}`} class="link font-semibold">
                    {model.name}
                  </A>
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={rows}>
            {(row) => (
              <tr>
                <th
                  scope="row"
                  class="sticky start-0 border-b border-border bg-raised px-5 py-2 text-start font-normal whitespace-nowrap text-muted"
                >
                  {row.title}
                </th>
                <For each={props.models}>
                  {(model) => (
                    <td class="figures border-b border-border px-4 py-2">{row.value(model)}</td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}
