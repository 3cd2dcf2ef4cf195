// Incidents with everything operators wrote about them, newest first.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { impactNames, updateNames } from "../../product/status/incident-names.ts";
import type { Incident, State } from "../../product/status/status-document.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { StatusPill, type Tone } from "../../ui/figures/status-pill.tsx";

export const stateTones = {
  operational: "success",
  degraded: "warning",
  outage: "danger",
  maintenance: "info",
} as const satisfies Record<State, Tone>;

export const stateNames = { operational: "Operational", ...impactNames } as const;

export function IncidentList(props: { incidents: readonly Incident[] }): JSX.Element {
  return (
    <ul class="flex flex-col divide-y divide-border">
      <For each={props.incidents}>
        {(incident) => (
          <li id={`incident-${incident.id}`} class="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
            <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h3 class="font-semibold">{incident.title}</h3>
              <StatusPill tone={incident.resolvedAt ? "success" : stateTones[incident.impact]}>
                {incident.resolvedAt ? "Resolved" : stateNames[incident.impact]}
              </StatusPill>
            </div>
            <p class="text-sm text-muted">{placeOf(incident)}</p>
            <ul class="flex flex-col gap-2">
              <For each={incident.updates}>
                {(update) => (
                  <li>
                    <p class="text-sm text-muted">
                      {updateNames[update.state]}, <Time at={update.at} absolute />
                    </p>
                    <p class="break-words">{update.text}</p>
                  </li>
                )}
              </For>
            </ul>
          </li>
        )}
      </For>
    </ul>
  );
}

function placeOf({ model, provider }: Incident): string {
  const name = model === "" ? "All models" : model;
  return provider === "" ? name : `${name} at ${provider}`;
}
