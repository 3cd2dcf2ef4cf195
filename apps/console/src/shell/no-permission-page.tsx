// Instead of a page that the reader's role in the account does not include: which role they have, and whom to ask.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useMe } from "../lib/session.ts";
import { EmptyState } from "../ui/states/states.tsx";
import { nameOfAccount } from "./name-of-account.ts";
import { roleNames } from "./role-names.ts";

export default function NoPermissionPage(): JSX.Element {
  const me = useMe();
  return (
    <Show when={me.data?.account}>
      {(account) => (
        <EmptyState title={`Your role in ${nameOfAccount(account())} does not include this page.`}>
          <p class="text-center text-muted">
            You are {roleNames[account().role].toLowerCase()}. Ask an owner or admin of the account.
          </p>
        </EmptyState>
      )}
    </Show>
  );
}
