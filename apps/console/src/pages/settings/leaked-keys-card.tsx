// Whether keys of the account that are found in public are revoked, or their owners only warned.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useChange } from "../../ui/use-change.ts";

const queryKey = ["leaked-keys"] as const;

export function LeakedKeysCard(): JSX.Element {
  const mayChange = useMay("account.change");
  const query = useAnswer(queryKey, (call) => api.accounts.leakedKeys.query(undefined, call));
  const change = useChange((revokes: boolean) => api.accounts.setLeakedKeys.mutate({ revokes }), {
    refreshes: queryKey,
    toast: "Saved",
  });
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
