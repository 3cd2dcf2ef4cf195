// The low-balance alert of an account: whether an email is sent, and below which amount. In Settings and on the Wallet.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { balanceKey } from "../../lib/session.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { readUsd } from "../../lib/typed-usd.ts";
import { Switch } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { TextField } from "../../ui/text-field.tsx";

const suggestedUsd = "5";

type AlertFormOptions = {
  /** Read once: the live balance must not overwrite what is being typed. */
  readonly level: string | null;
  /** Default: whether there is a level. */
  readonly on?: boolean;
  readonly onSaved?: () => void;
};

export function createAlertForm({ level, on = level !== null, onSaved }: AlertFormOptions) {
  return createForm({
    initial: { on, usd: level ?? suggestedUsd },
    draft: "low-balance-alert",
    validate: (given) => ({ usd: given.on ? checkUsd(given.usd) : undefined }),
    async submit(given) {
      await api.wallet.setLowBalanceAlert.mutate({ usd: given.on ? readUsd(given.usd) : null });
      onSaved?.();
    },
    refreshes: balanceKey,
    toast: "Saved",
  });
}

export function AlertFields(props: { form: ReturnType<typeof createAlertForm> }): JSX.Element {
  return (
    <>
      <Switch
        label="Email me when my balance is low"
        checked={props.form.values.on}
        onChange={(on) => props.form.set("on", on)}
      />
      <Show when={props.form.values.on}>
        <div class="max-w-40">
          <TextField
            {...props.form.field("usd")}
            label="Below"
            prefix="$"
            inputmode="decimal"
            autocomplete="off"
          />
        </div>
      </Show>
    </>
  );
}
