// A request to this instance as it is pasted, for a model the reader chooses, and what one of a typical size costs,
// line by line.

import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { formatCount, formatExactUsd } from "../../lib/format.ts";
import { chatModelsOf, realModelsOf, type useModels } from "../../lib/queries.ts";
import { useConfig } from "../../lib/session.ts";
import { firstCallSnippets } from "../../product/connect/snippets.ts";
import { calculateCost } from "../../product/prices/calculate-cost.ts";
import { CodeSnippet } from "../../ui/code/code-snippet.tsx";
import { Figure } from "../../ui/figures/figures.tsx";
import { Later } from "../../ui/states/later.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";

const shownMax = 3;
const typical = { inputTokens: 1_200, outputTokens: 300 };

type Model = ReturnType<typeof chatModelsOf>[number];

export function FirstRequestDemo(props: { models: ReturnType<typeof useModels> }): JSX.Element {
  const config = useConfig();
  const [chosen, setChosen] = createSignal(0);
  const shown = () => chatModelsOf(realModelsOf(props.models.data)).slice(0, shownMax);
  const model = () => shown()[chosen()];
  const baseUrl = () =>
    config.data?.apiBaseUrl ?? (config.isError ? `${location.origin}/v1` : undefined);
  const facts = () => {
    const known = baseUrl();
    return known === undefined || props.models.isPending
      ? undefined
      : { baseUrl: known, model: model()?.id ?? "provider/model" };
  };
  return (
    <Show when={facts()} fallback={<Skeleton class="h-96 rounded-card!" />}>
      {(known) => (
        <div id="first-request" class="flex min-w-0 flex-col gap-3">
          <CodeSnippet snippets={firstCallSnippets(known())} label="First request" />
          <Show when={shown().length > 1}>
            <fieldset data-live class="flex flex-wrap gap-2">
              <legend class="mb-2 text-sm text-muted">One word changes the model:</legend>
              <For each={shown()}>
                {({ id }, index) => (
                  <button
                    type="button"
                    translate="no"
                    aria-pressed={index() === chosen()}
                    class="rounded-full border border-control px-3 py-1 font-mono text-xs hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-info-tint pointer-coarse:min-h-11"
                    onClick={() => setChosen(index())}
                  >
                    {id}
                  </button>
                )}
              </For>
            </fieldset>
          </Show>
          <Show when={model()}>
            {(one) => (
              <Later>
                <Cost of={one()} />
              </Later>
            )}
          </Show>
        </div>
      )}
    </Show>
  );
}

function Cost(props: { of: Model }): JSX.Element {
  const prices = () => props.of.prices;
  const costOf = (promptTokens: number, completionTokens: number) =>
    calculateCost(props.of, { promptTokens, completionTokens });
  const lines = () =>
    [
      ["Input", typical.inputTokens, prices().inputUsd, costOf(typical.inputTokens, 0)],
      ["Output", typical.outputTokens, prices().outputUsd, costOf(0, typical.outputTokens)],
    ] as const;
  return (
    <table data-live class="figures w-full text-sm">
      <caption class="pb-1 text-start text-muted">
        What a request of this size costs, and nothing beside it
      </caption>
      <tbody>
        <For each={lines()}>
          {([title, tokens, usd, cost]) => (
            <tr>
              <th scope="row" class="py-0.5 text-start font-normal">
                {title}
              </th>
              <td class="text-end text-muted">
                <Figure>{formatCount(tokens)}</Figure> × <Figure>{formatExactUsd(usd)}</Figure> / 1M
              </td>
              <td class="ps-4 text-end">
                <Figure>{formatExactUsd(cost)}</Figure>
              </td>
            </tr>
          )}
        </For>
        <tr class="border-t border-border font-medium">
          <th scope="row" class="pt-1 text-start font-medium">
            You pay
          </th>
          <td />
          <td class="ps-4 pt-1 text-end">
            <Figure>{formatExactUsd(costOf(typical.inputTokens, typical.outputTokens))}</Figure>
          </td>
        </tr>
      </tbody>
    </table>
  );
}
