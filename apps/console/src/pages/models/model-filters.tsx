// Narrows and orders the list of models.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { namesOf } from "../../lib/names-of.ts";
import { Button } from "../../ui/button.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { PageSearch } from "../../ui/text-field.tsx";
import { AbilityIcon } from "./ability-list.tsx";
import {
  type AbilityId,
  abilities,
  contextSteps,
  labsOf,
  type Model,
  type ModelView,
  modelSorts,
  noFilters,
  priceSteps,
  providersOf,
  startsDescending,
} from "./model-query.ts";

type ModelFiltersProps = { models: readonly Model[]; view: ModelView };

export function ModelFilters(props: ModelFiltersProps): JSX.Element {
  const { get, set } = props.view;
  return (
    <div class="flex flex-col gap-2 border-b border-border px-5 py-3">
      <div class="flex flex-wrap items-center gap-2">
        <PageSearch
          label="Search by name, id or provider"
          class="w-full sm:w-72"
          value={get("q")}
          onInput={(q) => set({ q }, { replace: true })}
        />
        <FilterSelects {...props} />
      </div>
      <div class="flex flex-wrap items-center justify-between gap-2">
        <AbilityButtons view={props.view} />
        <SortSelect view={props.view} />
      </div>
    </div>
  );
}

function AbilityButtons(props: Pick<ModelFiltersProps, "view">): JSX.Element {
  const { get, set, count } = props.view;
  const toggle = (ability: AbilityId) => {
    const others = get("can").filter((one) => one !== ability);
    set({ can: get("can").includes(ability) ? others : [...others, ability] });
  };
  return (
    <div class="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 sm:mx-0 sm:flex-wrap sm:px-0">
      <For each={abilities}>
        {(ability) => (
          <button
            type="button"
            aria-pressed={get("can").includes(ability.id)}
            class="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-border px-2.5 text-xs text-muted transition-colors hover:text-text aria-pressed:border-brand aria-pressed:bg-info-tint aria-pressed:text-text pointer-coarse:h-11 pointer-coarse:px-4"
            onClick={() => toggle(ability.id)}
          >
            <AbilityIcon of={ability} />
            {ability.name}
          </button>
        )}
      </For>
      <Show when={count(namesOf(noFilters)) > 0}>
        <Button size="small" variant="ghost" onClick={() => set(noFilters)}>
          Clear filters
        </Button>
      </Show>
    </div>
  );
}

function SortSelect(props: Pick<ModelFiltersProps, "view">): JSX.Element {
  const { get, set } = props.view;
  return (
    <SelectControl
      label="Sort"
      small
      value={get("sort").column}
      onChange={(column) =>
        set({ sort: { column, descending: startsDescending(column) } }, { replace: true })
      }
      choices={modelSorts.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function FilterSelects(props: ModelFiltersProps): JSX.Element {
  const { get, set } = props.view;
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
    { value: "" as const, label: "Any price" },
    ...priceSteps.map((price) => ({ value: price, label: priceName(price) })),
  ];
  return (
    <>
      <SelectControl
        label="Lab"
        small
        value={get("lab")}
        onChange={(lab) => set({ lab })}
        choices={labs()}
      />
      <SelectControl
        label="Provider"
        small
        value={get("provider")}
        onChange={(provider) => set({ provider })}
        choices={providers()}
      />
      <SelectControl
        label="Context"
        small
        value={get("context")}
        onChange={(context) => set({ context })}
        choices={contexts}
      />
      <SelectControl
        label="Input price"
        small
        value={get("price")}
        onChange={(price) => set({ price })}
        choices={prices}
      />
    </>
  );
}
