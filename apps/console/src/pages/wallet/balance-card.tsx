// The balance, apart from it what is reserved, how long it lasts, how it is calculated, and
// the low-balance alert.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { formatAmount, formatBalance, formatExactUsd } from "../../lib/format.ts";
import { balanceKey, useMe, useWallet } from "../../lib/session.ts";
import { describeRunway } from "../../product/wallet/describe-runway.ts";
import { AlertFields, alertForm } from "../../product/wallet/low-balance-alert.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { askChange } from "../../ui/dialogs/open-dialog.tsx";
import { Figure, Money } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";

type WalletSummary = Answers["wallet"]["summary"];

export function BalanceCard(): JSX.Element {
  const wallet = useWallet();
  return (
    <Card title="Balance">
      <Loaded query={wallet} what="your balance" skeleton={<BalanceSkeleton />}>
        {(data) => <Balance of={data()} />}
      </Loaded>
    </Card>
  );
}

function BalanceSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-3">
      <Skeleton class="h-9 w-32" />
      <Skeleton class="h-5 w-52" />
      <Skeleton class="h-5 w-40" />
    </div>
  );
}

function Balance(props: { of: WalletSummary }): JSX.Element {
  const holds = () => compareDecimals(props.of.heldUsd, "0") > 0;
  const hasCredit = () => compareDecimals(props.of.creditLimitUsd, "0") > 0;
  return (
    <div class="flex flex-col gap-3">
      <div>
        <p class="figures text-2xl font-semibold tracking-tight">
          <Money usd={props.of.balanceUsd} kind="balance" />
        </p>
        <div class="mt-1 flex flex-col text-muted empty:hidden">
          <Show when={props.of.runwayDays !== null}>
            <p>{describeRunway(props.of.runwayDays ?? 0)}</p>
          </Show>
          <Show when={hasCredit()}>
            <p class="figures">
              Credit limit <Figure>{formatAmount(props.of.creditLimitUsd)}</Figure>: your balance
              may go that far below zero.
            </p>
          </Show>
          <Show when={props.of.agreedPrices.length > 0}>
            <p class="figures">Beside list prices you pay {props.of.agreedPrices.join(", ")}.</p>
          </Show>
          <Show when={holds()}>
            <p class="figures">
              <Figure>{formatExactUsd(props.of.heldUsd)}</Figure> reserved for requests
            </p>
          </Show>
        </div>
      </div>
      <details class="text-sm">
        <summary class="w-fit rounded-control text-link">How is this calculated?</summary>
        <ul class="mt-2 flex list-disc flex-col gap-1 ps-5 text-muted">
          <li>
            All transactions below add up to <Figure>{formatExactUsd(props.of.balanceUsd)}</Figure>.
          </li>
          <Show when={holds()}>
            <li>
              <Figure>{formatExactUsd(props.of.heldUsd)}</Figure> is reserved for requests in
              progress. Unused amounts are released within seconds.
            </li>
          </Show>
          <li>
            <Figure>{formatBalance(props.of.balanceUsd)}</Figure> is this balance, rounded down to
            the cent.
          </li>
        </ul>
      </details>
    </div>
  );
}

/** The threshold and the recipient. */
export function AlertCard(): JSX.Element {
  const wallet = useWallet();
  const me = useMe();
  const email = () => me.data?.person.email || "";
  const change = (level: string | null) =>
    askChange({
      ...alertForm(level, true),
      title: "Low-balance alert",
      text: `One email to ${email()} when the available balance falls below an amount you choose.`,
      fields: (form) => <AlertFields form={form} />,
      confirmLabel: "Save",
      pendingLabel: "Saving…",
      refreshes: [balanceKey],
    });
  return (
    <Card
      title="Low-balance alert"
      actions={
        <Show when={wallet.data}>
          {(data) => (
            <Button size="small" onClick={() => change(data().lowBalanceAlertUsd)}>
              {data().lowBalanceAlertUsd === null ? "Set alert" : "Change"}
            </Button>
          )}
        </Show>
      }
    >
      <Loaded query={wallet} what="your balance" skeleton={<Skeleton class="h-5 w-64" />}>
        {(data) => (
          <p class="text-muted wrap-anywhere">
            <Show when={data().lowBalanceAlertUsd} fallback="Off">
              {(level) => `Email ${email()} below ${formatAmount(level())}`}
            </Show>
          </p>
        )}
      </Loaded>
    </Card>
  );
}
