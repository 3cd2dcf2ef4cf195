// Whether the organization requires a second factor of its members, and from when.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { type Account, meKey, useTimeZone } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { Select } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";

const dayMs = 86_400_000;
const choices = (["14", "30", "7", "1", "0"] as const).map((value) => ({
  value,
  label: value === "0" ? "At once" : `In ${counted(Number(value), "day")}`,
}));

export function RequireFactorsCard(props: { of: Account }): JSX.Element {
  const timeZone = useTimeZone();
  const [days, setDays] = createSignal<(typeof choices)[number]["value"]>("14");
  const change = useChange(
    (from: Date | null) =>
      api.accounts.requireFactors.mutate({ from: from?.toISOString() ?? null }),
    { refreshes: meKey, toast: "Saved" },
  );
  const start = () => change.mutate(new Date(Date.now() + Number(days()) * dayMs));
  return (
    <Card title="Second factors of members">
      <div class="flex flex-col gap-4">
        <Show
          when={props.of.factorsRequiredFrom}
          fallback={
            <>
              <p class="text-muted">
                Members may sign in with their password alone. Those without a second factor are
                told by email when you require one.
              </p>
              <Select label="Required" value={days()} onChange={setDays} choices={choices} />
              <div>
                <Button changes pending={change.isPending} pendingLabel="Saving…" onClick={start}>
                  Require a second factor
                </Button>
              </div>
            </>
          }
        >
          {(from) => (
            <>
              <p>
                Members need a second factor from {formatDateTime(new Date(from()), timeZone())}.
                Without one they are refused here from then on. API keys keep working.
              </p>
              <div>
                <Button
                  changes
                  pending={change.isPending}
                  pendingLabel="Saving…"
                  onClick={() => change.mutate(null)}
                >
                  Stop requiring it
                </Button>
              </div>
            </>
          )}
        </Show>
      </div>
    </Card>
  );
}
