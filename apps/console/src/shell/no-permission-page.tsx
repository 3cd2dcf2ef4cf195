// Instead of a page that the reader's role in the account does not include: which role they have, and whom to ask.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useMe } from "../lib/session.ts";
import { EmptyState } from "../ui/states.tsx";
import { t } from "./account-texts.ts";
import { nameOfAccount } from "./name-of-account.ts";

export default function NoPermissionPage(): JSX.Element {
  const me = useMe();
  return (
    <Show when={me.data?.account}>
      {(account) => (
        <EmptyState title={t("account.noPermission", { name: nameOfAccount(account()) })}>
          <p class="text-center text-muted">
            {t("account.noPermissionHint", { role: t(`role.${account().role}`).toLowerCase() })}
          </p>
        </EmptyState>
      )}
    </Show>
  );
}
