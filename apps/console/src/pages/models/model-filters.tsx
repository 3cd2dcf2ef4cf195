// Narrows and orders the list of models.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { PageSearch } from "../../ui/forms/text-field.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import type { Narrowed } from "../../ui/tables/table-states.tsx";
import { AbilityIcon } from "./ability-list.tsx";
import {
  type AbilityId,
  contextSteps,
  labsOf,
  type Model,
  type ModelView,
  modelSorts,
  offeredAbilities,
  priceSteps,
  providersOf,
  startsDescending,
} from "./model-query.ts";

type ModelFiltersProps = { models: readonly Model[]; view: ModelView; narrowed: Narrowed };

export function ModelFilters(props: ModelFiltersProps): JSX.Element {
  const { get, set } = props.view;
  return (
    <FilterBar narrowed={props.narrowed} end={<SortSelect view={props.view} />} inCard>
      <PageSearch
        label="Search by name, id or provider"
        class="w-full sm:w-72"
        value={get("q")}
        onInput={(q) => set({ q }, { replace: true })}
      />
      <FilterSelects {...props} />
      <AbilityButtons {...props} />
    </FilterBar>
  );
}

function AbilityButtons(props: Pick<ModelFiltersProps, "models" | "view">): JSX.Element {
  const { get, set } = props.view;
  const toggle = (ability: AbilityId) => {
    const others = get("can").filter((one) => one !== ability);
    set({ can: get("can").includes(ability) ? others : [...others, ability] });
  };
  return (
    <div class="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 sm:mx-0 sm:flex-wrap sm:px-0">
      <For each={offeredAbilities(props.models)}>
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
  const named = (ids: readonly string[]) => ids.map((id) => ({ value: id, label: id }));
  const contexts = contextSteps.map((tokens) => ({
    value: String(tokens),
    label: `At least ${formatCompact(tokens)}`,
  }));
  return (
    <>
      <FilterSelect
        label="Lab"
        value={get("lab")}
        onChange={(lab) => set({ lab })}
        any="All labs"
        choices={named(labsOf(props.models))}
      />
      <FilterSelect
        label="Provider"
        value={get("provider")}
        onChange={(provider) => set({ provider })}
        any="All providers"
        choices={named(providersOf(props.models))}
      />
      <FilterSelect
        label="Context"
        value={get("context")}
        onChange={(context) => set({ context })}
        any="Any context"
        choices={contexts}
      />
      <FilterSelect
        label="Input price"
        value={get("price")}
        onChange={(price) => set({ price })}
        any="Any price"
        choices={priceSteps.map((price) => ({ value: price, label: priceName(price) }))}
      />
    </>
  );
}
