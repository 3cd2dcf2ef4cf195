// The balance on every page: what is reserved of it apart, amber under the alert level, red at zero, always with a label.
// What is reserved comes and goes with every request, and takes no room of its own, so that nothing beside it moves.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { describeReserved } from "../lib/describe-reserved.ts";
import { formatBalance } from "../lib/format.ts";
import { type Funds, fundsOf } from "../lib/funds-of.ts";
import { useAccount, useWallet } from "../lib/session.ts";
import { Skeleton } from "../ui/states/skeleton.tsx";

const looks = {
  fine: "border-control text-text hover:bg-hover",
  low: "border-transparent bg-warning-tint text-warning",
  zero: "border-transparent bg-danger-tint text-danger",
} as const satisfies Record<Funds, string>;

const pill =
  "figures inline-flex h-8 min-w-20 items-center justify-center gap-1.5 rounded-full border px-3 text-sm font-medium whitespace-nowrap transition-colors pointer-coarse:h-11 lg:h-9 lg:min-w-29 lg:flex-col lg:gap-0";

export function BalancePill(): JSX.Element {
  const wallet = useWallet();
  const account = useAccount();
  return (
    <Switch fallback={<Skeleton class="h-8 w-20 rounded-full!" />}>
      <Match when={account() && !account()?.permissions["money.read"]}>{null}</Match>
      <Match when={wallet.data}>
        {(data) => {
          const funds = () => fundsOf(data());
          const amount = () => formatBalance(data().balanceUsd);
          return (
            <A href="/wallet" class={`${pill} ${looks[funds()]}`}>
              <span class="leading-4">
                <span class="sr-only">{`${"Balance"} `}</span>
                <span translate="no">{amount()}</span>
                <Show when={wordFor(funds())}>
                  {(word) => <span class="font-normal max-sm:sr-only">{` ${word()}`}</span>}
                </Show>
              </span>
              <Show when={describeReserved(data())}>
                {(text) => (
                  <span
                    class="truncate lg:w-0 lg:min-w-full text-center text-[0.6875rem] leading-3.5 font-normal text-muted max-lg:sr-only"
                    title={text()}
                  >
                    {` ${text()}`}
                  </span>
                )}
              </Show>
            </A>
          );
        }}
      </Match>
      <Match when={wallet.isError}>
        <A href="/wallet" class={`${pill} ${looks.fine}`} aria-label="Balance unavailable">
          $—
        </A>
      </Match>
    </Switch>
  );
}

function wordFor(funds: Funds): string | undefined {
  if (funds === "fine") return undefined;
  return funds === "low" ? "low" : "empty";
}
