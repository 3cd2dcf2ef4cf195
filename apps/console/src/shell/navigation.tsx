// The groups and links of the navigation, as the sidebar, the drawer and the rail show them.
import { useLocation } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { For, lazy, Show, Suspense } from "solid-js";
import { withoutAccount } from "../lib/account-address.ts";
import { loadOnce } from "../lib/load-once.ts";
import { useAccount } from "../lib/session.ts";
import type { NavGroup, Page } from "./page.ts";
import { pageNames } from "./page-names.ts";
import { navPages, preload } from "./routes.ts";
import { SidebarLink } from "./sidebar-link.tsx";

// For operators only.
const DeskNavigation = lazy(loadOnce(() => import("./desk-navigation.tsx")));

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

type NavigationGroupsProps = { narrow: boolean; onChoose?: () => void };

/** `narrow`: icons only, their names as tooltips and for screen readers. The operator's desk has its own. */
export function NavigationGroups(props: NavigationGroupsProps): JSX.Element {
  const location = useLocation();
  const isDesk = () => /^\/operator(\/|$)/.test(withoutAccount(location.pathname));
  return (
    <Show when={isDesk()} fallback={<AccountGroups {...props} />}>
      <Suspense>
        <DeskNavigation {...props} />
      </Suspense>
    </Show>
  );
}

function AccountGroups(props: NavigationGroupsProps): JSX.Element {
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
  return (
    <SidebarLink
      href={props.page.nav.href ?? props.page.path}
      title={pageNames[props.page.id]}
      icon={props.page.nav.icon}
      isCurrent={isCurrent(props.page)}
      narrow={props.narrow}
      onChoose={props.onChoose}
      onApproach={() => preload(props.page.path)}
    />
  );
}

function nameOf(group: NavGroup): string {
  return group === "top" ? "" : groupNames[group];
}
