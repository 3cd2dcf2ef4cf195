// Settings: the low-balance alert.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { compareDecimals, formatAmount } from "../../lib/format.ts";
import { balanceKey, useMay, useMe, useWallet } from "../../lib/session.ts";
import { Asked } from "../../ui/asked.tsx";
import { Card } from "../../ui/card.tsx";
import { Switch } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { UnusualSpendCard } from "./unusual-spend-card.tsx";

export default function NotificationsPage(): JSX.Element {
  const me = useMe();
  const wallet = useWallet();
  const mayChange = useMay("money.change");
  const email = () => me.data?.person.email || "";
  return (
    <SettingsFrame>
      <Asked as="low-balance-alert">
        <Card
          title="Low balance"
          description={
            <span class="wrap-anywhere">
              One email to {email()} when the available balance falls below an amount you choose.
            </span>
          }
        >
          <Loaded query={wallet} what="your alert">
            {(data) => (
              <Show when={mayChange()} fallback={<Level usd={data().lowBalanceAlertUsd} />}>
                <AlertForm level={data().lowBalanceAlertUsd} />
              </Show>
            )}
          </Loaded>
        </Card>
      </Asked>
      <Asked as="unusual-spend-alert">
        <UnusualSpendCard />
      </Asked>
      <Card title="Always sent">
        <p class="text-muted">Receipts, new-device sign-ins, and password or email changes.</p>
      </Card>
    </SettingsFrame>
  );
}

/** For those who may not change it. */
function Level(props: { usd: string | null }): JSX.Element {
  return (
    <p>
      {props.usd === null
        ? "No alert is set."
        : `An email is sent below ${formatAmount(props.usd)}.`}
    </p>
  );
}

const suggestedUsd = "5";

/** The threshold is read once: the live balance must not overwrite what is being typed. */
function AlertForm(props: { level: string | null }): JSX.Element {
  const client = useQueryClient();
  const form = createForm({
    initial: { on: props.level !== null, usd: props.level ?? suggestedUsd },
    draft: "low-balance-alert",
    validate: ({ on, usd }) => ({ usd: on ? checkAmount(usd.trim()) : undefined }),
    async submit({ on, usd }) {
      await api.wallet.setLowBalanceAlert.mutate({ usd: on ? usd.trim() : null });
      await client.invalidateQueries({ queryKey: balanceKey });
      showToast("Saved");
    },
  });
  return (
    <FormFrame form={form}>
      <Switch
        label="Email me when my balance is low"
        checked={form.values.on}
        onChange={(on) => form.set("on", on)}
      />
      <Show when={form.values.on}>
        <div class="max-w-40">
          <TextField
            {...form.field("usd")}
            label="Below"
            prefix="$"
            inputmode="decimal"
            autocomplete="off"
          />
        </div>
      </Show>
      <SubmitButton form={form} label="Save" pendingLabel="Saving…" />
    </FormFrame>
  );
}

function checkAmount(usd: string): string | undefined {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(usd)) return "Enter an amount such as 5 or 5.50.";
  return compareDecimals(usd, "0") > 0 ? undefined : "Enter more than $0.";
}
