// The sidebar of the operator's desk: its sections, and the way back to the operator's own account.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { withoutAccount } from "../lib/account-address.ts";
import {
  Box,
  ChartNoAxesColumn,
  ChevronLeft,
  FileText,
  Search,
  Settings,
  TriangleAlert,
  Users,
} from "../ui/icons.ts";
import { deskSections } from "./desk-sections.ts";
import { SidebarLink } from "./sidebar-link.tsx";

const icons = {
  find: Search,
  accounts: Users,
  models: Box,
  catalog: FileText,
  money: ChartNoAxesColumn,
  incidents: TriangleAlert,
  system: Settings,
} as const;

type DeskNavigationProps = { narrow: boolean; onChoose?: (() => void) | undefined };

export default function DeskNavigation(props: DeskNavigationProps): JSX.Element {
  const location = useLocation();
  const pathname = () => withoutAccount(location.pathname);
  // An account, a request and whatever else was found belong to Find.
  const isOther = () => deskSections.every(({ href }) => href !== pathname());
  return (
    <div class="flex flex-col gap-4">
      <SidebarLink
        href="/"
        title="Back to the console"
        icon={ChevronLeft}
        isCurrent={false}
        narrow={props.narrow}
        onChoose={props.onChoose}
      />
      <ul aria-label="Operator's desk" class="flex flex-col gap-0.5">
        <For each={deskSections}>
          {({ id, href, label }) => (
            <li>
              <SidebarLink
                href={href}
                title={label}
                icon={icons[id]}
                isCurrent={pathname() === href || (id === "find" && isOther())}
                narrow={props.narrow}
                onChoose={props.onChoose}
              />
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}
