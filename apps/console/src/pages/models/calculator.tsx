// What a request of a given size costs with this model: exact, as it would be billed.
import { type ServiceTier, unitNames } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { formatCount, formatExactUsd, noData } from "../../lib/format.ts";
import { calculateCost } from "../../product/prices/calculate-cost.ts";
import { Select } from "../../ui/forms/choices.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { tierNames } from "./model-prices.tsx";
import {
  checkUsage,
  fieldLabels,
  fieldsOf,
  initialUsage,
  type PricedModel,
  usageOf,
  variantsOf,
} from "./typed-usage.ts";

export function Calculator(props: { of: PricedModel }): JSX.Element {
  const [typed, setTyped] = createStore(initialUsage(props.of));
  const [tier, setTier] = createSignal<ServiceTier | "">("");
  const errors = () => checkUsage(typed, fieldsOf(props.of));
  const prices = () => props.of.serviceTiers.find(({ name }) => name === tier()) ?? props.of;
  const costOf = (requests: number) =>
    Object.keys(errors()).length > 0
      ? noData
      : formatExactUsd(calculateCost(prices(), usageOf(typed), requests));
  const longPrompt = () =>
    prices().longPrompts?.findLast(({ aboveTokens }) => usageOf(typed).promptTokens > aboveTokens);
  return (
    <Card title="Cost calculator">
      <div class="grid gap-4 sm:grid-cols-3">
        <For each={fieldsOf(props.of)}>
          {(kind) => (
            <TextField
              label={fieldLabels[kind]}
              error={errors()[kind]}
              inputmode="numeric"
              autocomplete="off"
              maxlength={12}
              value={typed[kind]}
              onInput={(text) => setTyped(kind, text)}
            />
          )}
        </For>
        <For each={unitNames.filter((unit) => variantsOf(props.of, unit).length > 1)}>
          {(unit) => (
            <Select
              label={`${fieldLabels[unit]}: variant`}
              value={typed.variants[unit] ?? ""}
              onChange={(variant) => setTyped("variants", unit, variant)}
              choices={variantsOf(props.of, unit).map((one) => ({ value: one, label: one }))}
            />
          )}
        </For>
        <Show when={props.of.serviceTiers.length > 0}>
          <Select
            label="Service tier"
            value={tier()}
            onChange={setTier}
            choices={tiersOf(props.of)}
          />
        </Show>
      </div>
      <dl aria-live="polite" class="mt-5 grid grid-cols-2 gap-4 border-t border-border pt-4">
        <For each={[1, 1_000]}>
          {(requests) => (
            <div>
              <dt class="text-sm text-muted">
                {requests === 1 ? "Per request" : `Per ${formatCount(requests)} requests`}
              </dt>
              <dd translate="no" class="figures mt-0.5 text-xl font-semibold tracking-tight">
                {costOf(requests)}
              </dd>
            </div>
          )}
        </For>
      </dl>
      <Show when={longPrompt()}>
        {(long) => (
          <p class="mt-3 text-sm text-muted">
            At the prices of prompts over {formatCount(long().aboveTokens)} tokens.
          </p>
        )}
      </Show>
    </Card>
  );
}

function tiersOf({ serviceTiers: offered }: PricedModel) {
  return [
    { value: "" as const, label: "Standard" },
    ...offered.map(({ name }) => ({ value: name, label: tierNames[name] })),
  ];
}
