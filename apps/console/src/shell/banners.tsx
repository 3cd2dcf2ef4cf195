// At most one banner above a page, the most severe first, besides the one about a view of the account; those that do not
// block can be dismissed.
import type { JSX } from "solid-js";
import { createSignal, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { formatAmount, formatBalance, formatDateTime } from "../lib/format.ts";
import { fundsOf } from "../lib/funds-of.ts";
import { loadOnce } from "../lib/load-once.ts";
import { counted } from "../lib/plural.ts";
import { useConfig, useMe, useTimeZone, useWallet } from "../lib/session.ts";
import { Banner } from "../ui/banner.tsx";
import { Button, ButtonLink, buttonClass } from "../ui/button.tsx";
import { useOnline } from "../ui/use-online.tsx";
import { useNewVersion } from "./use-new-version.ts";

const ViewBanner = lazy(loadOnce(() => import("./view-banner.tsx")));

export function Banners(): JSX.Element {
  const wallet = useWallet();
  const config = useConfig();
  const online = useOnline();
  const replaced = useNewVersion();
  const [dismissed, setDismissed] = createSignal(false);
  const [staying, setStaying] = createSignal(false);
  const data = () => wallet.data;
  const funds = () => {
    const known = data();
    return known && fundsOf(known);
  };
  const me = useMe();
  const timeZone = useTimeZone();
  const missingFactor = () => {
    const { name = "", factorsRequiredFrom: from } = me.data?.account ?? {};
    return from && me.data?.person.factors.length === 0 ? { name, from } : undefined;
  };
  const support = () => config.data?.supportEmail ?? "";
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
                "We are doing maintenance: calls are refused for now. Nothing is charged."}
            </Banner>
          )}
        </Match>
        <Match when={data()?.frozen}>
          <Banner
            tone="danger"
            action={
              <a href={`mailto:${support()}`} class={buttonClass({ size: "small" })}>
                Contact support
              </a>
            }
          >
            Account on hold after a refund or dispute. API requests are being declined.
          </Banner>
        </Match>
        <Match when={missingFactor()}>
          {(account) => (
            <Banner
              tone={isPast(account().from) ? "danger" : "warning"}
              action={
                <ButtonLink href="/settings/security" size="small">
                  Add one
                </ButtonLink>
              }
            >
              {describeFactor(account(), timeZone())}
            </Banner>
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

function AddFunds(): JSX.Element {
  return (
    <ButtonLink href="/wallet?do=add-funds" size="small">
      Add funds
    </ButtonLink>
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

function isPast(at: string): boolean {
  return Date.parse(at) <= Date.now();
}

function describeFactor({ name, from }: { name: string; from: string }, timeZone: string): string {
  if (isPast(from))
    return `${name} requires a second factor. Until you add one, you cannot use it.`;
  return `${name} requires a second factor from ${formatDateTime(new Date(from), timeZone)}. Without one you cannot use it then.`;
}
