// The navigation of phones: the four most used pages and a drawer with all of them.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, For, lazy, Show, Suspense } from "solid-js";
import { Dynamic } from "solid-js/web";
import { loadOnce } from "../lib/load-once.ts";
import { MenuIcon } from "../ui/icons.ts";
import { useIsCurrent, useNavPages } from "./navigation.tsx";
import { pageNames } from "./page-names.ts";

const Drawer = lazy(loadOnce(() => import("./drawer.tsx")));

const itemClass =
  "flex h-14 w-full flex-col items-center justify-center gap-0.5 text-[11px] text-muted aria-[current=page]:font-medium aria-[current=page]:text-text -outline-offset-2!";

export function BottomBar(): JSX.Element {
  const isCurrent = useIsCurrent();
  const shown = useNavPages();
  // Undefined until it is first opened.
  const [open, setOpen] = createSignal<boolean>();
  return (
    <nav
      aria-label="Main"
      class="fixed inset-x-0 bottom-0 z-30 border-t border-border bg-bg pb-[env(safe-area-inset-bottom)]"
    >
      <ul class="grid auto-cols-fr grid-flow-col">
        <For each={shown().filter((page) => page.nav.bottom)}>
          {(page) => (
            <li>
              <A
                href={page.path}
                end
                activeClass=""
                inactiveClass=""
                aria-current={isCurrent(page) ? "page" : undefined}
                class={itemClass}
              >
                <Dynamic
                  component={page.nav.icon}
                  class="size-5"
                  strokeWidth={1.75}
                  aria-hidden="true"
                />
                {pageNames[page.id]}
              </A>
            </li>
          )}
        </For>
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open() === true}
            class={itemClass}
            onClick={() => setOpen(true)}
          >
            <MenuIcon class="size-5" strokeWidth={1.75} aria-hidden="true" />
            Menu
          </button>
        </li>
      </ul>
      <Show when={open() !== undefined}>
        <Suspense>
          <Drawer open={open() === true} onOpenChange={setOpen} />
        </Suspense>
      </Show>
    </nav>
  );
}
