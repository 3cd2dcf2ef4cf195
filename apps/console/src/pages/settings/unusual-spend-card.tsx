// Whether a mail is sent on a day that costs far more than usual.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { showToast } from "../../ui/toasts.tsx";

const queryKey = ["wallet", "unusual-spend-mail"];

export function UnusualSpendCard(): JSX.Element {
  const client = useQueryClient();
  const mayRead = useMay("money.read");
  const mayChange = useMay("money.change");
  const query = useQuery(() => ({
    queryKey,
    queryFn: ({ signal }) => api.wallet.unusualSpendMail.query(undefined, { signal }),
    enabled: mayRead(),
  }));
  const save = useMutation(() => ({
    mutationFn: (on: boolean) => api.wallet.setUnusualSpendMail.mutate({ on }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey });
      showToast("Saved");
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
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
