// The way to adding funds, for roles that may; others read who can.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useMay } from "../lib/session.ts";
import { ButtonLink } from "../ui/buttons/button.tsx";

const href = "/wallet?do=add-funds";

export const whoAddsFunds = "An owner, admin or billing member adds funds.";

/** Within text: a link. */
export function AddFundsLink(): JSX.Element {
  const mayPay = useMay("money.change");
  return (
    <Show when={mayPay()} fallback={<span>{whoAddsFunds}</span>}>
      <A href={href} class="link">
        Add funds
      </A>
    </Show>
  );
}

/** Beside a message: a small button. */
export function AddFundsButton(): JSX.Element {
  const mayPay = useMay("money.change");
  return (
    <Show when={mayPay()} fallback={<span class="text-sm">{whoAddsFunds}</span>}>
      <ButtonLink href={href} size="small">
        Add funds
      </ButtonLink>
    </Show>
  );
}
