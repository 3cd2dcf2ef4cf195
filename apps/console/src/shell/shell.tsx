// The frame of the signed-in console. DOM order: skip link, header, navigation, main; on screen the
// navigation is at the side, on phones at the bottom.
import type { JSX } from "solid-js";
import { createSignal, lazy, onMount, Show, Suspense } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import { usePhone } from "../ui/layout/use-media.ts";
import { prepareToasts } from "../ui/notices/toasts.tsx";
import { Banners } from "./banners.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { useGoKeys } from "./palette/use-go-keys.ts";
import { Sidebar } from "./sidebar.tsx";
import { SkipLink } from "./skip-link.tsx";
import { TopBar } from "./top-bar.tsx";

const Palette = lazy(loadOnce(() => import("./palette/palette.tsx")));
const ShortcutsDialog = lazy(loadOnce(() => import("./palette/shortcuts-dialog.tsx")));

export function Shell(props: { children: JSX.Element }): JSX.Element {
  const phone = usePhone();
  const [searching, setSearching] = createSignal<boolean>();
  const [listing, setListing] = createSignal<boolean>();
  const list = () => setListing(true);
  onMount(prepareToasts);
  useGoKeys({ openPalette: () => setSearching(true), openShortcuts: list });
  return (
    <div class="sm:grid sm:grid-cols-[auto_minmax(0,1fr)] sm:grid-rows-[auto_1fr]">
      <SkipLink />
      <TopBar onSearch={() => setSearching(true)} onShortcuts={list} />
      <Show when={phone()} fallback={<Sidebar />}>
        <BottomBar />
      </Show>
      <main
        id="main"
        data-banners=""
        tabindex={-1}
        class="mx-auto w-full max-w-[75rem] min-w-0 px-4 pt-5 pb-28 sm:col-start-2 sm:row-start-2 sm:px-6 sm:pt-6 sm:pb-16"
      >
        <Banners />
        {props.children}
      </main>
      <Show when={searching() !== undefined}>
        <Suspense>
          <Palette open={searching() === true} onOpenChange={setSearching} onShortcuts={list} />
        </Suspense>
      </Show>
      <Show when={listing() !== undefined}>
        <Suspense>
          <ShortcutsDialog open={listing() === true} onOpenChange={setListing} />
        </Suspense>
      </Show>
    </div>
  );
}
