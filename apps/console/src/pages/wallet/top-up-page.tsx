// Did my payment arrive? People return to it from the checkout. It trusts only what the server says about the payment;
// the address can at most request a cancellation, which the server then decides.
import { A, useParams, useSearchParams } from "@solidjs/router";
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createEffect, createSignal, on, onCleanup, onMount, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { SkeletonRows } from "../../ui/states/skeleton.tsx";
import { TopUpState } from "./top-up-state.tsx";

type TopUp = Answers["wallet"]["topUp"];

const liveMs = 2_000;
/** A bank transfer takes days, and a checkout may be abandoned. */
const slowMs = 15_000;
export const longMs = 60_000;

export default function TopUpPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const [search, setSearch] = useSearchParams<{ canceled?: string }>();
  const client = useQueryClient();
  const [long, setLong] = createSignal(false);
  const timer = setTimeout(() => setLong(true), longMs);
  onCleanup(() => clearTimeout(timer));
  const query = useQuery(() => ({
    queryKey: ["wallet", "topUp", params.id],
    queryFn: ({ signal }) => api.wallet.topUp.query({ id: params.id }, { signal }),
    refetchInterval: ({ state }) => pauseUntilNext(state.data, long()),
  }));
  const cancel = useMutation(() => ({
    mutationFn: (id: string) => api.wallet.cancelTopUp.mutate({ id }),
    onSettled: () => client.invalidateQueries({ queryKey: ["wallet"] }),
  }));
  onMount(() => {
    if (search.canceled === undefined) return;
    // Once: a reload or a shared address must not repeat it.
    setSearch({ canceled: undefined }, { replace: true });
    cancel.mutate(params.id);
  });
  createEffect(
    on(
      () => query.data?.state,
      (state, before) => {
        if (state !== "paid" || before === "paid") return;
        void client.invalidateQueries({ queryKey: ["wallet", "summary"] });
        void client.invalidateQueries({ queryKey: ["wallet", "ledger"] });
        void client.invalidateQueries({ queryKey: ["overview"] });
      },
    ),
  );
  return (
    <div class="mx-auto max-w-xl">
      <Card>
        <Loaded query={query} what="this top-up" skeleton={<SkeletonRows rows={3} />}>
          {(topUp) => (
            <TopUpState
              of={topUp()}
              long={long()}
              canceling={cancel.isPending}
              cancelFailed={cancel.isError}
            />
          )}
        </Loaded>
      </Card>
      <Show when={query.isError && !query.isRefetchError}>
        <p class="mt-4 text-center">
          <A href="/wallet" class="link">
            Back to Wallet
          </A>
        </p>
      </Show>
    </div>
  );
}

function pauseUntilNext(topUp: TopUp | undefined, long: boolean): number | false {
  if (topUp?.state === "processing") return slowMs;
  if (topUp?.state !== "pending") return false;
  return long ? slowMs : liveMs;
}
