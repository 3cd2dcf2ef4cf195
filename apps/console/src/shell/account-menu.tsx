// The account menu: who is signed in, theme, settings, sign-out.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../lib/api.ts";
import { useMe } from "../lib/session.ts";
import { leaveConsole } from "../lib/stored-conversations.ts";
import { readTheme, setTheme, type Theme } from "../lib/theme.ts";
import { iconButtonClass } from "../ui/buttons/button.tsx";
import { useChange } from "../ui/buttons/use-change.ts";
import { CircleUser, Headset, LogOut, Monitor, Moon, Settings, Sun } from "../ui/icons.ts";
import { Menu, MenuChoices, MenuItem, MenuLink, MenuSeparator } from "../ui/menus/menu.tsx";

export function AccountMenu(): JSX.Element {
  const me = useMe();
  const [theme, choose] = createSignal<Theme>(readTheme());
  const signOut = useChange(() => api.auth.logout.mutate(), { onDone: leaveConsole });
  return (
    <Menu
      label="Account"
      triggerClass={iconButtonClass()}
      trigger={<CircleUser class="size-5" aria-hidden="true" />}
    >
      <Show when={me.data}>
        {(data) => (
          <div class="px-2.5 py-2">
            <Show when={data().person.name}>
              <p class="truncate font-medium">{data().person.name}</p>
            </Show>
            <p class="truncate text-sm text-muted">{data().person.email}</p>
          </div>
        )}
      </Show>
      <MenuSeparator />
      <MenuChoices
        label="Theme"
        value={theme()}
        onChange={(chosen) => {
          choose(chosen);
          setTheme(chosen);
        }}
        choices={[
          { value: "system", label: "System", icon: <Monitor class="size-4" /> },
          { value: "light", label: "Light", icon: <Sun class="size-4" /> },
          { value: "dark", label: "Dark", icon: <Moon class="size-4" /> },
        ]}
      />
      <MenuSeparator />
      <MenuLink href="/settings/profile" icon={<Settings class="size-4" />}>
        Settings
      </MenuLink>
      <Show when={me.data?.person.operatorRole}>
        <MenuLink href="/operator" icon={<Headset class="size-4" />}>
          Operator's desk
        </MenuLink>
      </Show>
      <MenuItem changes icon={<LogOut class="size-4" />} onSelect={() => signOut.mutate()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
