// Narrows and orders the list of models.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { formatCompact, formatRate } from "../../lib/format.ts";
import { t as shared } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { AbilityIcon } from "./ability-list.tsx";
import {
  abilities,
  contextSteps,
  isNarrowed,
  type Model,
  modelSorts,
  priceSteps,
  providersOf,
  startsDescending,
} from "./model-query.ts";
import { t } from "./texts.ts";
import type { ShownModels } from "./use-model-query.ts";

type ModelFiltersProps = { models: readonly Model[]; shown: ShownModels };

export function ModelFilters(props: ModelFiltersProps): JSX.Element {
  const { shown } = props;
  return (
    <div class="flex flex-col gap-2 border-b border-border px-5 py-3">
      <div class="flex flex-wrap items-center gap-2">
        <input
          type="search"
          aria-label={t("list.search")}
          placeholder={t("list.search")}
          data-page-search=""
          class="field h-8! w-full text-sm! sm:w-72"
          value={shown.query().q}
          onInput={(event) => shown.filter({ q: event.currentTarget.value })}
        />
        <FilterSelects {...props} />
      </div>
      <div class="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 sm:flex-wrap">
        <For each={abilities}>
          {(ability) => (
            <button
              type="button"
              aria-pressed={shown.query().can.includes(ability)}
              class="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border border-border px-2.5 text-xs text-muted transition-colors hover:text-text aria-pressed:border-brand aria-pressed:bg-info-tint aria-pressed:text-text pointer-coarse:h-11 pointer-coarse:px-4"
              onClick={() => shown.toggle(ability)}
            >
              <AbilityIcon of={ability} />
              {t(`capability.${ability}`)}
            </button>
          )}
        </For>
        <Show when={isNarrowed(shown.query())}>
          <Button size="small" variant="ghost" onClick={shown.clear}>
            {shared("action.clearFilters")}
          </Button>
        </Show>
      </div>
    </div>
  );
}

function FilterSelects(props: ModelFiltersProps): JSX.Element {
  const { shown } = props;
  const priceName = (price: string) =>
    price === "0" ? t("list.free") : t("list.priceTo", { price: formatRate(price, "") });
  const providers = () => [
    { value: "", label: t("list.allProviders") },
    ...providersOf(props.models).map((id) => ({ value: id, label: id })),
  ];
  const contexts = [
    { value: "", label: t("list.anyContext") },
    ...contextSteps.map((tokens) => ({
      value: String(tokens),
      label: t("list.contextFrom", { tokens: formatCompact(tokens) }),
    })),
  ];
  const prices = [
    { value: "", label: t("list.anyPrice") },
    ...priceSteps.map((price) => ({ value: String(price), label: priceName(price) })),
  ];
  const sorts = modelSorts.map((value) => ({ value, label: t(`sort.${value}`) }));
  return (
    <>
      <SelectControl
        label={t("list.provider")}
        small
        value={shown.query().provider ?? ""}
        onChange={(provider) => shown.filter({ provider })}
        choices={providers()}
      />
      <SelectControl
        label={t("list.context")}
        small
        value={String(shown.query().contextTokens ?? "")}
        onChange={(context) => shown.filter({ context })}
        choices={contexts}
      />
      <SelectControl
        label={t("list.price")}
        small
        value={shown.query().priceUsd ?? ""}
        onChange={(price) => shown.filter({ price })}
        choices={prices}
      />
      <div class="sm:ms-auto">
        <SelectControl
          label={t("list.sort")}
          small
          value={shown.query().sort}
          onChange={(column) => shown.sort({ column, descending: startsDescending(column) })}
          choices={sorts}
        />
      </div>
    </>
  );
}
