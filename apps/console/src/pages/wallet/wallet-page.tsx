// How much do I have, and where did it go? The balance, adding funds, and the ledger.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { useMay } from "../../lib/session.ts";
import { Asked } from "../../ui/layout/asked.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { AddFundsCard } from "./add-funds-card.tsx";
import { AlertCard, BalanceCard } from "./balance-card.tsx";
import { LedgerCard } from "./ledger-card.tsx";

const AutoTopUpCard = lazy(loadOnce(() => import("./auto-top-up-card.tsx")));

const StatementsCard = lazy(loadOnce(() => import("./statements-card.tsx")));

export default function WalletPage(): JSX.Element {
  const mayChange = useMay("money.change");
  return (
    // In phone order; on wide screens the alert is below the balance.
    <div class="grid gap-5 lg:grid-cols-2 lg:grid-rows-[auto_1fr_auto] lg:items-start">
      <BalanceCard />
      <div class="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <Show when={mayChange()}>
          <Asked as="add-funds">
            <AddFundsCard />
          </Asked>
        </Show>
      </div>
      <div class="flex min-w-0 flex-col gap-5 lg:col-start-1 lg:row-start-2">
        <Show when={mayChange()}>
          <AlertCard />
          <Asked as="auto-top-up">
            <Suspense fallback={<Skeleton class="h-41 rounded-card! lg:h-36" />}>
              <AutoTopUpCard />
            </Suspense>
          </Asked>
        </Show>
      </div>
      <div class="flex min-w-0 flex-col gap-5 lg:col-span-2 lg:row-start-3">
        <LedgerCard />
        <Suspense>
          <StatementsCard />
        </Suspense>
      </div>
    </div>
  );
}
