// What a model can do, as icons with labels.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { noData } from "../../lib/format.ts";
import { Badge } from "../../ui/figures/status-pill.tsx";
import { type Ability, abilitiesOf, type Model } from "./model-query.ts";

export function AbilityList(props: { of: Model }): JSX.Element {
  return (
    <span class="flex flex-wrap gap-1">
      <For each={abilitiesOf(props.of)} fallback={noData}>
        {(ability) => (
          <Badge>
            <AbilityIcon of={ability} />
            {ability.name}
          </Badge>
        )}
      </For>
    </span>
  );
}

/** In a line of a table: each label is read out, and shown on hover. */
export function AbilityIcons(props: { of: Model }): JSX.Element {
  return (
    <Show when={abilitiesOf(props.of).length > 0} fallback={noData}>
      <span class="inline-flex gap-1.5 align-middle text-muted">
        <For each={abilitiesOf(props.of)}>
          {(ability) => (
            <span title={ability.name} class="inline-flex">
              <AbilityIcon of={ability} />
              <span class="sr-only">{ability.name} </span>
            </span>
          )}
        </For>
      </span>
    </Show>
  );
}

export function AbilityIcon(props: { of: Ability }): JSX.Element {
  return <Dynamic component={props.of.icon} class="size-3.5 shrink-0" aria-hidden="true" />;
}
