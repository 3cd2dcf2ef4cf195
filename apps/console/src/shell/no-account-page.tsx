// Instead of a page: the account of the address is not one of the reader's. It offers those they have.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { addressOf } from "../lib/account-address.ts";
import type { Me } from "../lib/session.ts";
import { buttonClass } from "../ui/buttons/button.tsx";
import { EmptyState } from "../ui/states/states.tsx";
import { nameOfAccount } from "./name-of-account.ts";

export default function NoAccountPage(props: { me: Me }): JSX.Element {
  return (
    <EmptyState
      title="There is no account at this address, or you are not a member of it."
      action={
        <For each={props.me.accounts}>
          {(account) => (
            // Another document: the router of this one is about the account that is missing.
            <a href={addressOf(account)} rel="external" class={buttonClass({})}>
              {nameOfAccount(account)}
            </a>
          )}
        </For>
      }
    >
      <p class="text-center text-muted">
        You are signed in as {props.me.person.email}. Open one of your accounts:
      </p>
    </EmptyState>
  );
}
