// The time zone in which the periods of budgets begin: the account's.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import { useChange } from "../../ui/buttons/use-change.ts";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";

type TimeZoneCardProps = { timeZone: string; onChanged: () => void };

export function TimeZoneCard(props: TimeZoneCardProps): JSX.Element {
  const mayChange = useMay("budgets.change");
  const save = useChange((timeZone: string) => api.budgets.setTimeZone.mutate({ timeZone }), {
    onDone: props.onChanged,
    toast: "Saved",
  });
  return (
    <Card
      title="Time zone"
      description="Days, weeks and months of budgets begin at midnight there."
    >
      <Show when={mayChange()} fallback={<p>{nameOf(props.timeZone)}</p>}>
        <div class="max-w-sm">
          <SelectControl
            label="Time zone of the account"
            value={props.timeZone}
            onChange={(timeZone) => save.mutate(timeZone)}
            choices={zonesWith(props.timeZone).map((zone) => ({
              value: zone,
              label: nameOf(zone),
            }))}
          />
        </div>
      </Show>
    </Card>
  );
}

/** Browsers and the database do not know the same zones. */
function zonesWith(set: string): readonly string[] {
  return [...new Set(["UTC", set, ...Intl.supportedValuesOf("timeZone")])];
}

function nameOf(zone: string): string {
  return zone.replaceAll("_", " ");
}
