// Narrows and orders the list of models.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { AbilityIcon } from "./ability-list.tsx";
import {
  abilities,
  contextSteps,
  isNarrowed,
  labsOf,
  type Model,
  modelSorts,
  priceSteps,
  providersOf,
  startsDescending,
} from "./model-query.ts";
import type { ShownModels } from "./use-model-query.ts";

type ModelFiltersProps = { models: readonly Model[]; shown: ShownModels };

export function ModelFilters(props: ModelFiltersProps): JSX.Element {
  const { shown } = props;
  return (
    <div class="flex flex-col gap-2 border-b border-border px-5 py-3">
      <div class="flex flex-wrap items-center gap-2">
        <input
          type="search"
          aria-label="Search by name, id or provider"
          placeholder="Search by name, id or provider"
          data-page-search=""
          class="field h-8! w-full text-sm! sm:w-72"
          value={shown.query().q}
          onInput={(event) => shown.filter({ q: event.currentTarget.value })}
        />
        <FilterSelects {...props} />
      </div>
      <div class="flex flex-wrap items-center justify-between gap-2">
        <AbilityButtons shown={shown} />
        <SortSelect shown={shown} />
      </div>
    </div>
  );
}

function AbilityButtons(props: Pick<ModelFiltersProps, "shown">): JSX.Element {
  const { shown } = props;
  return (
    <div class="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 sm:mx-0 sm:flex-wrap sm:px-0">
      <For each={abilities}>
        {(ability) => (
          <button
            type="button"
            aria-pressed={shown.query().can.includes(ability.id)}
            class="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-border px-2.5 text-xs text-muted transition-colors hover:text-text aria-pressed:border-brand aria-pressed:bg-info-tint aria-pressed:text-text pointer-coarse:h-11 pointer-coarse:px-4"
            onClick={() => shown.toggle(ability.id)}
          >
            <AbilityIcon of={ability} />
            {ability.name}
          </button>
        )}
      </For>
      <Show when={isNarrowed(shown.query())}>
        <Button size="small" variant="ghost" onClick={shown.clear}>
          Clear filters
        </Button>
      </Show>
    </div>
  );
}

function SortSelect(props: Pick<ModelFiltersProps, "shown">): JSX.Element {
  const { shown } = props;
  return (
    <SelectControl
      label="Sort"
      small
      value={shown.query().sort}
      onChange={(column) => shown.sort({ column, descending: startsDescending(column) })}
      choices={modelSorts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function FilterSelects(props: ModelFiltersProps): JSX.Element {
  const { shown } = props;
  const priceName = (price: string) => (price === "0" ? "Free" : `Up to ${formatRate(price, "")}`);
  const labs = () => [
    { value: "", label: "All labs" },
    ...labsOf(props.models).map((id) => ({ value: id, label: id })),
  ];
  const providers = () => [
    { value: "", label: "All providers" },
    ...providersOf(props.models).map((id) => ({ value: id, label: id })),
  ];
  const contexts = [
    { value: "", label: "Any context" },
    ...contextSteps.map((tokens) => ({
      value: String(tokens),
      label: `At least ${formatCompact(tokens)}`,
    })),
  ];
  const prices = [
    { value: "", label: "Any price" },
    ...priceSteps.map((price) => ({ value: String(price), label: priceName(price) })),
  ];
  return (
    <>
      <SelectControl
        label="Lab"
        small
        value={shown.query().lab ?? ""}
        onChange={(lab) => shown.filter({ lab })}
        choices={labs()}
      />
      <SelectControl
        label="Provider"
        small
        value={shown.query().provider ?? ""}
        onChange={(provider) => shown.filter({ provider })}
        choices={providers()}
      />
      <SelectControl
        label="Context"
        small
        value={String(shown.query().contextTokens ?? "")}
        onChange={(context) => shown.filter({ context })}
        choices={contexts}
      />
      <SelectControl
        label="Input price"
        small
        value={shown.query().priceUsd ?? ""}
        onChange={(price) => shown.filter({ price })}
        choices={prices}
      />
    </>
  );
}
