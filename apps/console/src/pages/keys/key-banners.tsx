// Why a key is refused: a spend limit it reached, or an account without money.
import type { BudgetPeriod } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { formatAmount } from "../../lib/format.ts";
import { useMay, useWallet } from "../../lib/session.ts";
import { type Key, tightestPeriod } from "../../product/keys/key-spend.tsx";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { useBlocked, useReset } from "./key-status.tsx";

/** Why the key is refused, and until when. */
export function LimitReached(props: { of: Key; onRaise: () => void }): JSX.Element {
  const name = () => (props.of.status === "limit_reached" ? tightestPeriod(props.of) : undefined);
  return (
    <Show when={name()}>
      {(period) => (
        <Banner
          tone="danger"
          action={
            <Button size="small" onClick={props.onRaise}>
              Raise limit
            </Button>
          }
        >
          {describeReached(props.of, period())}
        </Banner>
      )}
    </Show>
  );
}

/** The banner of every page says this only for an account that had a balance before. */
export function NoMoney(props: { of: Key }): JSX.Element {
  const blocked = useBlocked(() => props.of);
  const wallet = useWallet();
  const mayPay = useMay("money.change");
  return (
    <Show when={blocked() === "noMoney" && wallet.data?.funded === false}>
      <Banner
        tone="danger"
        action={
          <Show when={mayPay()}>
            <ButtonLink size="small" href="/wallet?do=add-funds">
              Add funds
            </ButtonLink>
          </Show>
        }
      >
        Your Wallet is empty, so requests with {props.of.name} are declined.
      </Banner>
    </Show>
  );
}

function describeReached(key: Key, name: BudgetPeriod): string {
  const { limitUsd, resetsAt } = key.spend[name];
  const limit = formatAmount(limitUsd ?? "0");
  if (resetsAt === null) return `${key.name} reached its limit of ${limit}.`;
  return `${key.name} reached its limit of ${limit} per ${name}. It resets ${useReset(resetsAt)}.`;
}
