// What am I told about by email? The low-balance alert, and the one of unusual spending.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatAmount } from "../../lib/format.ts";
import { balanceKey, useMay, useMe, useWallet } from "../../lib/session.ts";
import { SwitchCard } from "../../product/account/switch-card.tsx";
import { AlertFields, alertForm } from "../../product/wallet/low-balance-alert.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { SettingsFrame } from "./settings-frame.tsx";

export default function NotificationsPage(): JSX.Element {
  const me = useMe();
  const wallet = useWallet();
  const mayRead = useMay("money.read");
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
          <Loaded
            query={wallet}
            what="your alert"
            skeleton={<SkeletonRows bare rows={mayChange() ? 2 : 1} rowClass="h-[34px]" />}
          >
            {(data) => (
              <Show when={mayChange()} fallback={<Level usd={data().lowBalanceAlertUsd} />}>
                <AlertForm level={data().lowBalanceAlertUsd} />
              </Show>
            )}
          </Loaded>
        </Card>
      </Asked>
      <Asked as="unusual-spend-alert">
        <Show when={mayRead()}>
          <SwitchCard
            title="Unusual spending"
            description="At most one email a day, when a day (UTC) costs at least $10 and more than twice the costliest of the 14 days before. It goes to owners and billing members."
            label="Email about unusual spending"
            queryKey={["wallet", "unusual-spend-mail"]}
            load={async (call) => (await api.wallet.unusualSpendMail.query(undefined, call)).on}
            save={(on) => api.wallet.setUnusualSpendMail.mutate({ on })}
            mayChange={mayChange()}
          />
        </Show>
      </Asked>
      <Card title="Always sent">
        <p class="text-muted">
          Receipts, budgets and limits that are nearly or fully used, leaked keys, new-device
          sign-ins, and password or email changes.
        </p>
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

function AlertForm(props: { level: string | null }): JSX.Element {
  const { run: submit, ...options } = alertForm(props.level);
  const form = createForm({ ...options, submit, refreshes: balanceKey });
  return (
    <FormFrame form={form}>
      <AlertFields form={form} />
      <SubmitButton form={form} label="Save" pendingLabel="Saving…" />
    </FormFrame>
  );
}
