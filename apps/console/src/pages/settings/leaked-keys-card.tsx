// Whether keys of the account that are found in public are revoked, or their owners only warned.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMay } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { showToast } from "../../ui/toasts.tsx";

const queryKey = ["leaked-keys"] as const;

export function LeakedKeysCard(): JSX.Element {
  const client = useQueryClient();
  const mayChange = useMay("account.change");
  const query = useQuery(() => ({
    queryKey,
    queryFn: ({ signal }) => api.accounts.leakedKeys.query(undefined, { signal }),
  }));
  const change = useMutation(() => ({
    mutationFn: (revokes: boolean) => api.accounts.setLeakedKeys.mutate({ revokes }),
    onSuccess: () => showToast("Saved"),
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  }));
  return (
    <Card
      title="Leaked keys"
      description="API keys and management keys of this account that scanners find in public places. Their owners get a mail in any case."
    >
      <Loaded query={query} what="the setting">
        {(setting) => (
          <Switch
            label="Revoke leaked keys at once"
            hint="Otherwise they keep working until you revoke them."
            checked={setting().revokes}
            disabled={!mayChange() || change.isPending}
            onChange={(revokes) => change.mutate(revokes)}
          />
        )}
      </Loaded>
    </Card>
  );
}
