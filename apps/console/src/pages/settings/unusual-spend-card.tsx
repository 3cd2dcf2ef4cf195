// Whether a mail is sent on a day that costs far more than usual.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useChange } from "../../ui/use-change.ts";

const queryKey = ["wallet", "unusual-spend-mail"];

export function UnusualSpendCard(): JSX.Element {
  const mayRead = useMay("money.read");
  const mayChange = useMay("money.change");
  const query = useQuery(() => ({
    queryKey,
    queryFn: ({ signal }) => api.wallet.unusualSpendMail.query(undefined, { signal }),
    enabled: mayRead(),
  }));
  const save = useChange((on: boolean) => api.wallet.setUnusualSpendMail.mutate({ on }), {
    refreshes: queryKey,
    toast: "Saved",
  });
  return (
    <Show when={mayRead()}>
      <Card
        title="Unusual spending"
        description="At most one email a day, when a day (UTC) costs at least $10 and more than twice the costliest of the 14 days before. It goes to owners and billing members."
      >
        <Loaded query={query} what="this setting">
          {(data) => (
            <Show when={mayChange()} fallback={<p>{data().on ? "On" : "Off"}</p>}>
              <Switch
                label="Email about unusual spending"
                checked={data().on}
                onChange={(on) => save.mutate(on)}
              />
            </Show>
          )}
        </Loaded>
      </Card>
    </Show>
  );
}
