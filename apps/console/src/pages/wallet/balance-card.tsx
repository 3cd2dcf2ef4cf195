// The balance, apart from it what is reserved, how long it lasts, how it is calculated, and
// the low-balance alert.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { compareDecimals, formatAmount, formatBalance, formatExactUsd } from "../../lib/format.ts";
import { useMe, useWallet } from "../../lib/session.ts";
import { Card } from "../../ui/card.tsx";
import { Money } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { describeRunway } from "../shared/describe-runway.ts";
import { t } from "./texts.ts";

type WalletSummary = Answers["wallet"]["summary"];

export function BalanceCard(): JSX.Element {
  const wallet = useWallet();
  return (
    <Card title={t("balance.title")}>
      <Loaded query={wallet} what={t("balance.what")} skeleton={<BalanceSkeleton />}>
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
              {t("balance.credit", { limit: formatAmount(props.of.creditLimitUsd) })}
            </p>
          </Show>
          <Show when={holds()}>
            <p class="figures">{t("balance.held", { amount: formatExactUsd(props.of.heldUsd) })}</p>
          </Show>
        </div>
      </div>
      <details class="text-sm">
        <summary class="w-fit rounded-control text-link">{t("balance.how")}</summary>
        <ul class="mt-2 flex list-disc flex-col gap-1 ps-5 text-muted">
          <li>{t("balance.howSum", { balance: formatExactUsd(props.of.balanceUsd) })}</li>
          <Show when={holds()}>
            <li>{t("balance.howHeld", { held: formatExactUsd(props.of.heldUsd) })}</li>
          </Show>
          <li>{t("balance.howShown", { balance: formatBalance(props.of.balanceUsd) })}</li>
        </ul>
      </details>
    </div>
  );
}

/** The threshold and the recipient; changed in Settings. */
export function AlertCard(): JSX.Element {
  const wallet = useWallet();
  const me = useMe();
  const email = () => me.data?.person.email || "";
  return (
    <Card
      title={t("alert.title")}
      actions={
        <A href="/settings/notifications" class="link text-sm">
          {wallet.data?.lowBalanceAlertUsd === null ? t("alert.set") : t("alert.change")}
        </A>
      }
    >
      <Loaded query={wallet} what={t("balance.what")} skeleton={<Skeleton class="h-5 w-64" />}>
        {(data) => (
          <p class="text-muted wrap-anywhere">
            <Show when={data().lowBalanceAlertUsd} fallback={t("alert.none")}>
              {(level) => t("alert.level", { email: email(), amount: formatAmount(level()) })}
            </Show>
          </p>
        )}
      </Loaded>
    </Card>
  );
}
