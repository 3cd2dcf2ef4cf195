// The time zone in which the periods of budgets begin: the account's.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { Card } from "../../ui/card.tsx";
import { SelectControl } from "../../ui/choices.tsx";
import { showToast } from "../../ui/toasts.tsx";

type TimeZoneCardProps = { timeZone: string; onChanged: () => void };

export function TimeZoneCard(props: TimeZoneCardProps): JSX.Element {
  const mayChange = useMay("budgets.change");
  const save = useMutation(() => ({
    mutationFn: (timeZone: string) => api.budgets.setTimeZone.mutate({ timeZone }),
    onSuccess() {
      props.onChanged();
      showToast("Saved");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
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
