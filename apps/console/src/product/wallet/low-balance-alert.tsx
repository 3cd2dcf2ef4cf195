// The low-balance alert of an account: whether an email is sent, and below which amount. In Settings and on the Wallet.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { checkUsd } from "../../lib/typed-text.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import { Switch } from "../../ui/forms/choices.tsx";
import type { Form } from "../../ui/forms/create-form.ts";
import { TextField } from "../../ui/forms/text-field.tsx";

const suggestedUsd = "5";

type AlertValues = { on: boolean; usd: string };

/** The level is read once: the live balance must not overwrite what is being typed. */
export function alertForm(level: string | null, on: boolean = level !== null) {
  return {
    initial: { on, usd: level ?? suggestedUsd },
    draft: "low-balance-alert",
    validate: (given: AlertValues) => ({ usd: given.on ? checkUsd(given.usd) : undefined }),
    run: (given: AlertValues) =>
      api.wallet.setLowBalanceAlert.mutate({ usd: given.on ? parseUsd(given.usd) : null }),
    toast: "Saved",
  };
}

export function AlertFields(props: { form: Form<AlertValues> }): JSX.Element {
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
