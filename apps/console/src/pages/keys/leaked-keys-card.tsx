// Whether keys of the account that scanners find in public places are revoked at once.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMay } from "../../lib/session.ts";
import { SwitchCard } from "../../product/account/switch-card.tsx";
import { Asked } from "../../ui/layout/asked.tsx";

export function LeakedKeysCard(): JSX.Element {
  const mayChange = useMay("account.change");
  return (
    <Asked as="revoke-leaked-keys">
      <SwitchCard
        title="Leaked keys"
        description="API keys and management keys of this account that scanners find in public places. Their owners are emailed either way."
        label="Revoke leaked keys at once"
        hint="Otherwise they keep working until you revoke them."
        queryKey={["leaked-keys"]}
        load={async (call) => (await api.accounts.leakedKeys.query(undefined, call)).revokes}
        save={(revokes) => api.accounts.setLeakedKeys.mutate({ revokes })}
        mayChange={mayChange()}
      />
    </Asked>
  );
}
