// The list of models with capabilities and prices; public.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { decimalsOfRates, formatCompact, noData } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { useModels } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Rate } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { usePhone } from "../../ui/use-media.ts";
import { AbilityList } from "./ability-list.tsx";
import { CompareBar, CompareDialog } from "./compare-dialog.tsx";
import { ModelFilters } from "./model-filters.tsx";
import { hasOutput, type Model, selectModels } from "./model-query.ts";
import { type ShownModels, useModelQuery } from "./use-model-query.ts";

const comparedMax = 4;
const comparedOnPhoneMax = 2;

export default function ModelsPage(): JSX.Element {
  const query = useModels();
  return (
    <>
      <PageHeader
        description={`${"Prices per 1M tokens, USD"} ${"Select models to compare them side by side."}`}
      />
      <Loaded
        query={query}
        what="the models"
        skeleton={
          <Card flush>
            <SkeletonRows rows={10} />
          </Card>
        }
      >
        {(models) => (
          <Show
            when={models().length > 0}
            fallback={
              <Card flush>
                <EmptyState title="No models are enabled." />
              </Card>
            }
          >
            <ModelList models={models()} />
          </Show>
        )}
      </Loaded>
    </>
  );
}

function ModelList(props: { models: readonly Model[] }): JSX.Element {
  const shown = useModelQuery();
  const phone = usePhone();
  const rows = createMemo(() => selectModels(props.models, shown.query()));
  const most = () => (phone() ? comparedOnPhoneMax : comparedMax);
  const compared = createMemo(() =>
    shown
      .chosen()
      .flatMap((id) => props.models.find((model) => model.id === id) ?? [])
      .slice(0, most()),
  );
  return (
    <>
      <Card flush>
        <ModelFilters models={props.models} shown={shown} />
        <p role="status" class="sr-only">
          {plural(rows().length, `${rows().length} model`, `${rows().length} models`)}
        </p>
        <Show
          when={rows().length > 0}
          fallback={
            <EmptyState
              title="No models match."
              action={<Button onClick={shown.clear}>Clear filters</Button>}
            />
          }
        >
          <Table
            caption="Models and their prices per one million tokens"
            columnsKey="models"
            columns={columns}
            rows={rows()}
            rowKey={(model) => model.id}
            rowHref={(model) => `/models/${model.id}`}
            sort={{ column: shown.query().sort, descending: shown.query().descending }}
            onSort={shown.sort}
            actions={(model) => (
              <CompareTick
                of={model}
                shown={shown}
                full={compared().length >= most() && !compared().includes(model)}
              />
            )}
          />
        </Show>
      </Card>
      <CompareBar models={compared()} shown={shown} most={most()} />
      <CompareDialog models={compared()} shown={shown} most={most()} />
    </>
  );
}

type CompareTickProps = { of: Model; shown: ShownModels; full: boolean };

function CompareTick(props: CompareTickProps): JSX.Element {
  return (
    <label class="inline-flex min-h-8 items-center gap-1.5 text-xs text-muted has-disabled:opacity-60 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        class="size-4 accent-brand"
        aria-label={`Compare ${props.of.name}`}
        title="Compare"
        checked={props.shown.chosen().includes(props.of.id)}
        disabled={props.full}
        onChange={() => props.shown.toggleChosen(props.of.id)}
      />
      <span aria-hidden="true" class="sm:sr-only">
        Compare
      </span>
    </label>
  );
}

/** Prices that every model has. */
type RateName = "inputUsd" | "cachedInputUsd" | "cacheWriteUsd" | "outputUsd";

/** A column of prices per million tokens. */
function rateColumn(
  id: string,
  title: string,
  name: RateName,
  applies: (model: Model) => boolean = () => true,
): Column<Model> {
  return {
    id,
    title,
    align: "end",
    decimals: (models) =>
      decimalsOfRates(models.filter(applies).map((model) => model.prices[name])),
    cell: (model, decimals) => (
      <Show when={applies(model)} fallback={noData}>
        <Rate usd={model.prices[name]} decimals={decimals()} inRow />
      </Show>
    ),
  };
}

const columns: readonly Column<Model>[] = [
  {
    id: "name",
    title: "Model",
    sortable: true,
    cell: (model) => model.name,
    under: (model) => (
      <span class="inline-flex items-center gap-1 font-mono text-xs text-muted">
        <span class="wrap-break-word">{model.id}</span>
        <CopyButton text={model.id} label="Copy model id" iconOnly />
      </span>
    ),
    class: "sm:min-w-56",
  },
  {
    id: "provider",
    title: "Provider",
    // On phones the id above shows it.
    wideOnly: true,
    cell: (model) => model.provider,
  },
  {
    id: "context",
    title: "Context",
    align: "end",
    sortable: true,
    cell: (model) => formatCompact(model.contextTokens),
  },
  {
    id: "maxOutput",
    title: "Max output",
    align: "end",
    cell: (model) => formatCompact(model.maxOutputTokens),
  },
  { ...rateColumn("input", "Input", "inputUsd"), sortable: true },
  rateColumn("cached", "Cached", "cachedInputUsd"),
  { ...rateColumn("output", "Output", "outputUsd", hasOutput), sortable: true },
  { id: "can", title: "Capabilities", cell: (model) => <AbilityList of={model} /> },
];
