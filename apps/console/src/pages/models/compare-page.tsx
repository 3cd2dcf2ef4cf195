// Up to four models side by side: the same rows for each. Which ones is in the address; public.
import { A, useNavigate, useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { ButtonLink, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { X } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { AllModels } from "./all-models.tsx";
import { comparedMax, comparisonPath, readIds } from "./compared-ids.ts";
import { comparedRows } from "./compared-rows.ts";
import type { Model } from "./model-query.ts";

export default function ComparePage(): JSX.Element {
  const [search] = useSearchParams();
  const ids = createMemo(() => readIds(search.ids));
  const query = useModels();
  return (
    <div class="flex flex-col gap-5">
      <AllModels compared={ids()} />
      <Loaded
        query={query}
        what="the models"
        skeleton={
          <Card flush>
            <SkeletonRows rows={12} />
          </Card>
        }
      >
        {(models) => <Comparison models={models()} ids={ids()} />}
      </Loaded>
    </div>
  );
}

function Comparison(props: { models: readonly Model[]; ids: readonly string[] }): JSX.Element {
  const navigate = useNavigate();
  const shown = createMemo(() =>
    props.ids.flatMap((id) => props.models.find((model) => model.id === id) ?? []),
  );
  const shownIds = () => shown().map(({ id }) => id);
  const unknown = () => props.ids.filter((id) => !shownIds().includes(id));
  const show = (ids: readonly string[]) => navigate(comparisonPath(ids), { scroll: false });
  const others = () => [
    { value: "", label: "Add a model" },
    ...props.models
      .filter(({ id }) => !props.ids.includes(id))
      .map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
  ];
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p class="max-w-2xl text-muted">
          Prices per 1M tokens, in US dollars. Speed and availability are those of calls made here;
          a dash means too few calls to say.
        </p>
        <Show when={shown().length < comparedMax && others().length > 1}>
          <div class="min-w-0 max-w-full">
            <SelectControl
              label="Add a model"
              small
              value=""
              onChange={(id) => show([...shownIds(), id])}
              choices={others()}
            />
          </div>
        </Show>
      </div>
      <Show when={unknown().length > 0}>
        <p role="status" class="text-sm text-muted wrap-anywhere">
          Not offered here: {unknown().join(", ")}
        </p>
      </Show>
      <Card flush>
        <Show
          when={shown().length > 0}
          fallback={
            <EmptyState
              title="No models selected."
              action={<ButtonLink href="/models">Choose models</ButtonLink>}
            />
          }
        >
          <ComparisonTable
            models={shown()}
            onRemove={(id) => show(shownIds().filter((one) => one !== id))}
          />
        </Show>
      </Card>
    </>
  );
}

type ComparisonTableProps = { models: readonly Model[]; onRemove: (id: string) => void };

const firstColumn =
  "sticky start-0 border-b border-border bg-bg px-5 text-start font-normal whitespace-nowrap text-muted max-sm:max-w-28 max-sm:px-3 max-sm:whitespace-normal";

function ComparisonTable(props: ComparisonTableProps): JSX.Element {
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
            <th scope="col" class={`${firstColumn} py-3`}>
              <span class="sr-only">Property</span>
            </th>
            <For each={props.models}>
              {(model) => <ModelHead model={model} onRemove={props.onRemove} />}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={comparedRows}>
            {(row) => (
              <tr>
                <th scope="row" class={`${firstColumn} h-10 py-1`}>
                  {row.title}
                </th>
                <For each={props.models}>
                  {(model) => (
                    <td class="figures h-10 border-b border-border px-4">{row.value(model)}</td>
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

function ModelHead(props: { model: Model; onRemove: (id: string) => void }): JSX.Element {
  return (
    <th
      scope="col"
      class="min-w-40 max-sm:min-w-36 border-b border-border px-4 py-2 text-start align-top font-normal"
    >
      <div class="flex items-start justify-between gap-2">
        <div class="min-w-0 pt-1.5">
          <A href={`/models/${props.model.id}`} class="link font-semibold">
            {props.model.name}
          </A>
          <div class="font-mono text-xs wrap-anywhere text-muted">{props.model.id}</div>
        </div>
        <IconButton
          label={`Remove ${props.model.name}`}
          onClick={() => props.onRemove(props.model.id)}
        >
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </th>
  );
}
