// What a model can do, as icons with labels.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Dynamic } from "solid-js/web";
import { noData } from "../../lib/format.ts";
import { Braces, Brain, Eye, FileText, History, Waypoints, Wrench } from "../../ui/icons.ts";
import { Badge } from "../../ui/status-pill.tsx";
import { type Ability, abilities, isAble, type Model } from "./model-query.ts";

export const capabilityNames = {
  tools: "Tools",
  vision: "Vision",
  json_schema: "JSON schema",
  reasoning: "Reasoning",
  files: "Files",
  caching: "Caching",
  embeddings: "Embeddings",
} as const;

const icons = {
  tools: Wrench,
  vision: Eye,
  json_schema: Braces,
  reasoning: Brain,
  files: FileText,
  caching: History,
  embeddings: Waypoints,
} as const satisfies Record<Ability, unknown>;

export function AbilityList(props: { of: Model }): JSX.Element {
  return (
    <span class="flex flex-wrap gap-1 max-sm:[dd_&]:justify-end">
      <For
        each={abilities.filter((ability) => isAble(props.of, ability))}
        fallback={<span class="text-muted">{noData}</span>}
      >
        {(ability) => (
          <Badge>
            <AbilityIcon of={ability} />
            {capabilityNames[ability]}
          </Badge>
        )}
      </For>
    </span>
  );
}

/** In a line of a table: each label is read out, and shown on hover. */
export function AbilityIcons(props: { of: Model }): JSX.Element {
  return (
    <span class="inline-flex gap-1.5 align-middle text-muted">
      <For
        each={abilities.filter((ability) => isAble(props.of, ability))}
        fallback={<span>{noData}</span>}
      >
        {(ability) => (
          <span title={capabilityNames[ability]} class="inline-flex">
            <AbilityIcon of={ability} />
            <span class="sr-only">{capabilityNames[ability]} </span>
          </span>
        )}
      </For>
    </span>
  );
}

export function AbilityIcon(props: { of: Ability }): JSX.Element {
  return <Dynamic component={icons[props.of]} class="size-3.5 shrink-0" aria-hidden="true" />;
}
