// The help menu, in the same place on every page.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useConfig } from "../lib/session.ts";
import { iconButtonClass } from "../ui/button.tsx";
import { BookOpen, CircleHelp, Mail } from "../ui/icons.ts";
import { Menu, MenuLink } from "../ui/menu.tsx";

export function HelpMenu(): JSX.Element {
  const config = useConfig();
  return (
    <Menu
      label="Help"
      triggerClass={`${iconButtonClass()} max-sm:hidden!`}
      trigger={<CircleHelp class="size-5" aria-hidden="true" />}
    >
      <MenuLink href="/docs" icon={<BookOpen class="size-4" />}>
        Docs
      </MenuLink>
      <Show when={config.data?.supportEmail}>
        {(email) => (
          <MenuLink href={`mailto:${email()}`} icon={<Mail class="size-4" />}>
            Support
          </MenuLink>
        )}
      </Show>
    </Menu>
  );
}
