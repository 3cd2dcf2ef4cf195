// The sidebar: 240 px, or a rail of 56 px on medium widths and when collapsed; that choice is remembered.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { version } from "../../package.json";
import { loadOnce } from "../lib/load-once.ts";
import { readStored, writeStored } from "../lib/stored-text.ts";
import { IconButton } from "../ui/buttons/button.tsx";
import { PanelLeft } from "../ui/icons.ts";
import { useMedia } from "../ui/layout/use-media.ts";
import { Logo } from "./logo.tsx";
import { NavigationGroups } from "./navigation.tsx";

const AccountSwitcher = lazy(loadOnce(() => import("./account-switcher.tsx")));

const storageKey = "sidebar";

export function Sidebar(): JSX.Element {
  const wide = useMedia("(width >= 64rem)");
  const [collapsed, setCollapsed] = createSignal(readStored(storageKey) === "collapsed");
  const narrow = () => !wide() || collapsed();
  const toggle = () => {
    const next = !collapsed();
    setCollapsed(next);
    writeStored(storageKey, next ? "collapsed" : "open");
  };
  return (
    <nav
      aria-label="Main"
      class="sticky top-0 col-start-1 row-span-2 row-start-1 flex h-dvh flex-col border-e border-border bg-surface"
      classList={{ "w-60": !narrow(), "w-14 pointer-coarse:w-16": narrow() }}
    >
      <div class="flex h-14 shrink-0 items-center border-b border-border px-3.5">
        <A href="/" class="inline-flex min-w-0 rounded-control">
          <Logo hideName={narrow()} />
        </A>
      </div>
      <div class="border-b border-border px-2.5 py-1.5">
        <Suspense fallback={<span class="block h-11" />}>
          <AccountSwitcher narrow={narrow()} />
        </Suspense>
      </div>
      <div class="min-h-0 flex-1 overflow-y-auto px-2.5 py-3">
        <NavigationGroups narrow={narrow()} />
      </div>
      <Show when={wide()}>
        <div class="flex items-center justify-between px-2.5 py-1.5">
          <IconButton
            label={collapsed() ? "Expand sidebar" : "Collapse sidebar"}
            aria-expanded={!collapsed()}
            onClick={toggle}
          >
            <PanelLeft class="size-[18px]" aria-hidden="true" />
          </IconButton>
          <Show when={!narrow()}>
            <span class="pe-1.5 text-xs text-muted">Version {version}</span>
          </Show>
        </div>
      </Show>
    </nav>
  );
}
