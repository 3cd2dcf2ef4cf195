// The navigation of phones: the four most used pages and a drawer with all of them.
import { Dialog } from "@kobalte/core/dialog";
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { navPages } from "../pages.ts";
import { useConfig } from "../session.ts";
import { t } from "../texts/shell.ts";
import { iconButtonClass } from "../ui/button.tsx";
import { Mail, MenuIcon, X } from "../ui/icons.ts";
import { Logo } from "./logo.tsx";
import { NavigationGroups, useIsCurrent } from "./navigation.tsx";

const itemClass =
  "flex h-14 w-full flex-col items-center justify-center gap-0.5 text-[11px] text-muted aria-[current=page]:font-medium aria-[current=page]:text-text -outline-offset-2!";

export function BottomBar(): JSX.Element {
  const isCurrent = useIsCurrent();
  const [open, setOpen] = createSignal(false);
  return (
    <nav
      aria-label={t("shell.main")}
      class="fixed inset-x-0 bottom-0 z-30 border-t border-border bg-bg pb-[env(safe-area-inset-bottom)]"
    >
      <ul class="grid grid-cols-5">
        <For each={navPages.filter((page) => page.nav.bottom)}>
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
                {t(`page.${page.id}`)}
              </A>
            </li>
          )}
        </For>
        <li>
          <Dialog open={open()} onOpenChange={setOpen}>
            <Dialog.Trigger class={itemClass}>
              <MenuIcon class="size-5" strokeWidth={1.75} aria-hidden="true" />
              {t("shell.menu")}
            </Dialog.Trigger>
            <Dialog.Portal>
              <Dialog.Overlay class="fixed inset-0 z-40 animate-appear bg-overlay" />
              <Dialog.Content class="fixed inset-y-0 start-0 z-50 flex w-72 max-w-[85vw] flex-col border-e border-border bg-raised focus:outline-none">
                <div class="flex h-14 items-center justify-between border-b border-border ps-4 pe-2">
                  <Dialog.Title class="sr-only">{t("shell.menu")}</Dialog.Title>
                  <Logo />
                  <Dialog.CloseButton class={iconButtonClass()} aria-label={t("shell.closeMenu")}>
                    <X class="size-5" aria-hidden="true" />
                  </Dialog.CloseButton>
                </div>
                <div class="min-h-0 flex-1 overflow-y-auto px-3 py-4">
                  <NavigationGroups narrow={false} onChoose={() => setOpen(false)} />
                </div>
                <SupportLink />
              </Dialog.Content>
            </Dialog.Portal>
          </Dialog>
        </li>
      </ul>
    </nav>
  );
}

/** The help menu has no place on phones; Docs is among the pages above. */
function SupportLink(): JSX.Element {
  const config = useConfig();
  return (
    <Show when={config.isSuccess && config.data.supportEmail}>
      {(email) => (
        <a
          href={`mailto:${email()}`}
          class="flex h-12 items-center gap-3 border-t border-border px-5.5 text-muted"
        >
          <Mail class="size-[18px]" aria-hidden="true" />
          {t("shell.support")}
        </a>
      )}
    </Show>
  );
}
