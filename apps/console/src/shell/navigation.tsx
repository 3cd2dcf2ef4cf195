// The groups and links of the navigation, as the sidebar, the drawer and the rail show them.
import { A, useLocation } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { withoutAccount } from "../lib/account-address.ts";
import { useAccount } from "../lib/session.ts";
import type { NavGroup, Page } from "./page.ts";
import { pageNames } from "./page-names.ts";
import { navPages, preload } from "./routes.ts";

const groupNames = {
  build: "Build",
  observe: "Observe",
  billing: "Billing",
  account: "Account",
} as const;

const groups: readonly NavGroup[] = ["top", "build", "observe", "billing", "account"];
type NavPage = (typeof navPages)[number];

/** Whether this link is the current page, or a parent of it. */
export function useIsCurrent(): (page: NavPage) => boolean {
  const location = useLocation();
  return (page) => {
    const pathname = withoutAccount(location.pathname);
    const under = page.nav.under;
    return (
      pathname === page.path || (under !== undefined && `${pathname}/`.startsWith(`${under}/`))
    );
  };
}

/** Those the role in this account may see. */
export function useNavPages(): Accessor<readonly NavPage[]> {
  return usePermitted(navPages);
}

export function usePermitted<Some extends Pick<Page, "needs">>(
  pages: readonly Some[],
): Accessor<readonly Some[]> {
  const account = useAccount();
  return () => {
    const permissions = account()?.permissions;
    return pages.filter(
      ({ needs }) => needs === undefined || !permissions || permissions[needs] !== undefined,
    );
  };
}

/** `narrow`: icons only, their names as tooltips and for screen readers. */
export function NavigationGroups(props: { narrow: boolean; onChoose?: () => void }): JSX.Element {
  const shown = useNavPages();
  const pagesOf = (group: NavGroup) => shown().filter((page) => page.nav.group === group);
  return (
    <div class="flex flex-col gap-4">
      <For each={groups.filter((group) => pagesOf(group).length > 0)}>
        {(group) => (
          <div>
            <Show when={group !== "top" && !props.narrow}>
              <h2 class="px-2.5 pb-1 text-xs font-medium text-muted">{nameOf(group)}</h2>
            </Show>
            <ul class="flex flex-col gap-0.5">
              <For each={pagesOf(group)}>
                {(page) => (
                  <li>
                    <NavigationLink page={page} narrow={props.narrow} onChoose={props.onChoose} />
                  </li>
                )}
              </For>
            </ul>
          </div>
        )}
      </For>
    </div>
  );
}

type NavigationLinkProps = {
  page: NavPage;
  narrow: boolean;
  onChoose?: (() => void) | undefined;
};

function NavigationLink(props: NavigationLinkProps): JSX.Element {
  const isCurrent = useIsCurrent();
  const title = () => pageNames[props.page.id];
  return (
    <A
      href={props.page.nav.href ?? props.page.path}
      end
      activeClass=""
      inactiveClass=""
      aria-current={isCurrent(props.page) ? "page" : undefined}
      title={props.narrow ? title() : undefined}
      class="relative flex h-8.5 items-center gap-3 rounded-control px-2.5 text-muted transition-colors before:absolute before:inset-y-2 before:start-0 before:w-[3px] before:rounded-full hover:bg-hover hover:text-text aria-[current=page]:bg-info-tint aria-[current=page]:font-medium aria-[current=page]:text-text aria-[current=page]:before:bg-brand pointer-coarse:h-11"
      classList={{ "w-9 justify-center px-0! pointer-coarse:w-11": props.narrow }}
      onPointerEnter={() => preload(props.page.path)}
      onFocus={() => preload(props.page.path)}
      onClick={() => props.onChoose?.()}
    >
      <Dynamic
        component={props.page.nav.icon}
        class="size-[18px] shrink-0"
        strokeWidth={1.75}
        aria-hidden="true"
      />
      <span classList={{ "sr-only": props.narrow }}>{title()}</span>
    </A>
  );
}

function nameOf(group: NavGroup): string {
  return group === "top" ? "" : groupNames[group];
}
