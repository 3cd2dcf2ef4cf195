// Which account the page is about, and the way to the others. Opening another one reloads the page.
import type { JSX } from "solid-js";
import { createSignal, For, lazy, Show, Suspense } from "solid-js";
import { openAccount } from "../lib/account-address.ts";
import { loadOnce } from "../lib/load-once.ts";
import { type Me, useMe } from "../lib/session.ts";
import { Building, Check, ChevronsUpDown, CircleUser, Plus } from "../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../ui/menus/menu.tsx";
import { nameOfAccount } from "./name-of-account.ts";
import { roleNames } from "./role-names.ts";

const CreateOrganization = lazy(loadOnce(() => import("./create-organization.tsx")));

type Account = Pick<Me["accounts"][number], "kind" | "slug">;

/** `narrow`: the icon only. */
export default function AccountSwitcher(props: { narrow: boolean }): JSX.Element {
  const me = useMe();
  const [creating, setCreating] = createSignal<boolean>();
  // An operator is no member of what they view.
  const listed = () => {
    const { account, accounts = [] } = me.data ?? {};
    return account?.view ? [account, ...accounts] : accounts;
  };
  const open = (one: Account) => {
    const viewed = me.data?.account?.view ? me.data.account.slug : undefined;
    if (one.slug !== viewed) openAccount(one);
  };
  return (
    <Show when={me.data?.account} fallback={<span class="block h-11" />}>
      {(account) => (
        <>
          <Menu
            label={props.narrow ? `Account: ${nameOfAccount(account())}` : undefined}
            placement="bottom-start"
            triggerClass={`flex h-11 w-full min-w-0 items-center gap-2.5 rounded-control text-start transition-colors hover:bg-hover ${props.narrow ? "justify-center" : "px-2.5"}`}
            trigger={
              <>
                <AccountIcon kind={account().kind} />
                <Show when={!props.narrow}>
                  <span class="min-w-0 flex-1">
                    <span class="block truncate text-sm font-medium">
                      <span class="sr-only">{`${"Account:"} `}</span>
                      {nameOfAccount(account())}
                    </span>
                    <span class="block truncate text-xs text-muted">
                      <Show when={!account().view} fallback="Viewed read-only">
                        {account().kind === "personal"
                          ? me.data?.person.email
                          : roleNames[account().role]}
                      </Show>
                    </span>
                  </span>
                  <ChevronsUpDown class="size-4 shrink-0 text-muted" aria-hidden="true" />
                </Show>
              </>
            }
          >
            <For each={listed()}>
              {(one) => (
                <MenuItem icon={<AccountIcon kind={one.kind} />} onSelect={() => open(one)}>
                  <span class="min-w-0 flex-1 truncate">{nameOfAccount(one)}</span>
                  <Show when={one.slug === account().slug}>
                    <Check class="size-4 shrink-0" aria-hidden="true" />
                  </Show>
                </MenuItem>
              )}
            </For>
            <MenuSeparator />
            <MenuItem
              icon={<Plus class="size-4" aria-hidden="true" />}
              onSelect={() => setCreating(true)}
            >
              Create organization
            </MenuItem>
          </Menu>
          <Show when={creating() !== undefined}>
            <Suspense>
              <CreateOrganization open={creating() === true} onOpenChange={setCreating} />
            </Suspense>
          </Show>
        </>
      )}
    </Show>
  );
}

function AccountIcon(props: { kind: Account["kind"] }): JSX.Element {
  return (
    <Show
      when={props.kind === "organization"}
      fallback={<CircleUser class="size-[18px] shrink-0 text-muted" aria-hidden="true" />}
    >
      <Building class="size-[18px] shrink-0 text-muted" aria-hidden="true" />
    </Show>
  );
}
