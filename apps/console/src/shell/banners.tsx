// At most one banner above a page, the most severe first, besides the one about a view of the account; those that do not
// block can be dismissed.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { withoutAccount } from "../lib/account-address.ts";
import { formatAmount, formatBalance } from "../lib/format.ts";
import { fundsOf } from "../lib/funds-of.ts";
import { loadOnce } from "../lib/load-once.ts";
import { counted } from "../lib/plural.ts";
import { useConfig, useMay, useMe, useWallet } from "../lib/session.ts";
import { Button, ButtonLink } from "../ui/buttons/button.tsx";
import { Banner } from "../ui/notices/banner.tsx";
import { useOnline } from "../ui/states/use-online.tsx";
import { useNewVersion } from "./use-new-version.ts";

const RareBanner = lazy(loadOnce(() => import("./rare-banner.tsx")));
const ViewBanner = lazy(loadOnce(() => import("./view-banner.tsx")));

export function Banners(): JSX.Element {
  const wallet = useWallet();
  const config = useConfig();
  const online = useOnline();
  const replaced = useNewVersion();
  const [dismissed, setDismissed] = createSignal(false);
  const [staying, setStaying] = createSignal(false);
  const [declined, setDeclined] = createSignal(false);
  const data = () => wallet.data;
  const funds = () => {
    const known = data();
    return known && fundsOf(known);
  };
  const me = useMe();
  const missingFactor = () => {
    const { name = "", factorsRequiredFrom: from } = me.data?.account ?? {};
    return from && me.data?.person.factors.length === 0 ? { name, from } : undefined;
  };
  return (
    <div class="flex flex-col gap-3 empty:hidden not-empty:mb-5">
      <Show when={me.data?.account?.view ?? me.data?.viewedUntil}>
        <Suspense>
          <ViewBanner />
        </Suspense>
      </Show>
      <Switch>
        <Match when={!online()}>
          <Banner tone="warning">You're offline. Changes are disabled.</Banner>
        </Match>
        <Match when={config.data?.maintenance}>
          {(now) => (
            <Banner tone="warning">
              {now().message ||
                "We are doing maintenance: requests are refused for now. Nothing is charged."}
            </Banner>
          )}
        </Match>
        <Match when={data()?.frozen}>
          <Suspense>
            <RareBanner frozen />
          </Suspense>
        </Match>
        <Match when={missingFactor()}>
          {(missing) => (
            <Suspense>
              <RareBanner missing={missing()} />
            </Suspense>
          )}
        </Match>
        <Match when={funds() === "zero" && data()?.funded}>
          <Banner tone="danger" action={<AddFunds />}>
            Your balance is used up. API requests are being declined.
          </Banner>
        </Match>
        <Match when={funds() === "low" && !dismissed() && data()}>
          {(low) => (
            <Banner tone="warning" action={<AddFunds />} onDismiss={() => setDismissed(true)}>
              {describeLow(low())}
            </Banner>
          )}
        </Match>
        <Match when={me.data?.isInvited && !declined()}>
          <Suspense>
            <RareBanner onDismiss={() => setDeclined(true)} />
          </Suspense>
        </Match>
        <Match when={replaced() && !staying()}>
          <Banner tone="info" action={<Reload />} onDismiss={() => setStaying(true)}>
            A new version of the console is available.
          </Banner>
        </Match>
      </Switch>
    </div>
  );
}

function Reload(): JSX.Element {
  return (
    <Button size="small" onClick={() => location.reload()}>
      Reload
    </Button>
  );
}

/** Nothing on the Wallet, which has the form for it. */
function AddFunds(): JSX.Element {
  const mayPay = useMay("money.change");
  const location = useLocation();
  return (
    <Show when={mayPay() && withoutAccount(location.pathname) !== "/wallet"}>
      <ButtonLink href="/wallet?do=add-funds" size="small">
        Add funds
      </ButtonLink>
    </Show>
  );
}

type Low = { spendableUsd: string; runwayDays: number | null; lowBalanceAlertUsd: string | null };

function describeLow(wallet: Low): string {
  const amount = formatBalance(wallet.spendableUsd);
  if (wallet.runwayDays === null) {
    return `Your balance is ${amount}, below your alert of ${formatAmount(wallet.lowBalanceAlertUsd ?? "0")}.`;
  }
  return `Your balance is ${amount}, ${describeDays(Math.floor(wallet.runwayDays))} at your current pace.`;
}

const yearDays = 365;

function describeDays(count: number): string {
  if (count > yearDays) return "more than a year";
  return count < 1 ? "less than a day" : `about ${counted(count, "day")}`;
}
