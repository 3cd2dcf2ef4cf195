// The help menu, in the same place on every page.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { useConfig } from "../lib/session.ts";
import { iconButtonClass } from "../ui/buttons/button.tsx";
import { BookOpen, Braces, CircleHelp, Gauge, ListIcon, Mail, Plug } from "../ui/icons.ts";
import { Menu, MenuItem, MenuLink } from "../ui/menus/menu.tsx";

const places = [
  { href: "/docs", icon: BookOpen, title: "Docs" },
  { href: "/docs/reference", icon: Braces, title: "API reference" },
  { href: "/connect", icon: Plug, title: "Connect a tool" },
  { href: "/status", icon: Gauge, title: "Status" },
] as const;

export function HelpMenu(props: { onShortcuts: () => void }): JSX.Element {
  const config = useConfig();
  return (
    <Menu
      label="Help"
      triggerClass={`${iconButtonClass()} max-sm:hidden!`}
      trigger={<CircleHelp class="size-5" aria-hidden="true" />}
    >
      <For each={places}>
        {({ href, icon, title }) => (
          <MenuLink href={href} icon={<Dynamic component={icon} class="size-4" />}>
            {title}
          </MenuLink>
        )}
      </For>
      <Show when={config.data?.supportEmail}>
        {(email) => (
          <MenuLink href={`mailto:${email()}`} icon={<Mail class="size-4" />}>
            Support
          </MenuLink>
        )}
      </Show>
      <MenuItem icon={<ListIcon class="size-4" />} onSelect={props.onShortcuts}>
        Keyboard shortcuts
      </MenuItem>
    </Menu>
  );
}
