// All pages, from the side, for phones; loaded when it is first opened.
import * as Dialog from "@kobalte/core/dialog";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import { useConfig } from "../lib/session.ts";
import { iconButtonClass } from "../ui/buttons/button.tsx";
import { useOpener } from "../ui/dialogs/use-opener.ts";
import { Mail, X } from "../ui/icons.ts";
import { Logo } from "./logo.tsx";
import { NavigationGroups } from "./navigation.tsx";

const AccountSwitcher = lazy(loadOnce(() => import("./account-switcher.tsx")));

type DrawerProps = { open: boolean; onOpenChange: (open: boolean) => void };

export default function Drawer(props: DrawerProps): JSX.Element {
  const giveFocusBack = useOpener(() => props.open);
  return (
    <Dialog.Root open={props.open} onOpenChange={props.onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay class="fixed inset-0 z-40 animate-appear bg-overlay" />
        <Dialog.Content
          onCloseAutoFocus={giveFocusBack}
          class="fixed inset-y-0 start-0 z-50 flex w-72 max-w-[85vw] flex-col border-e border-border bg-raised focus:outline-none"
        >
          <div class="flex h-14 items-center justify-between border-b border-border ps-4 pe-2">
            <Dialog.Title class="sr-only">Menu</Dialog.Title>
            <Logo />
            <Dialog.CloseButton class={iconButtonClass()} aria-label="Close menu">
              <X class="size-5" aria-hidden="true" />
            </Dialog.CloseButton>
          </div>
          <div class="border-b border-border px-3 py-1.5">
            <Suspense fallback={<span class="block h-11" />}>
              <AccountSwitcher narrow={false} />
            </Suspense>
          </div>
          <nav aria-label="Menu" class="min-h-0 flex-1 overflow-y-auto px-3 py-4">
            <NavigationGroups narrow={false} onChoose={() => props.onOpenChange(false)} />
          </nav>
          <SupportLink />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Phones have no help menu; Docs is among the pages above. */
function SupportLink(): JSX.Element {
  const config = useConfig();
  return (
    <Show when={config.data?.supportEmail}>
      {(email) => (
        <a
          href={`mailto:${email()}`}
          class="flex h-12 items-center gap-3 border-t border-border px-5.5 text-muted"
        >
          <Mail class="size-[18px]" aria-hidden="true" />
          Support
        </a>
      )}
    </Show>
  );
}
