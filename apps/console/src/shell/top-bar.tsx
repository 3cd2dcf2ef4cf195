// Left to right: the page's title, search, balance, help, account. The same on every page.
import type { JSX } from "solid-js";
import { lazy, Suspense } from "solid-js";
import { loadOnce } from "../lib/load-once.ts";
import { Search } from "../ui/icons.ts";
import { BalancePill } from "./balance-pill.tsx";
import { PageHeading } from "./page-title.tsx";

const Menus = lazy(loadOnce(() => import("./menus.tsx")));

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function TopBar(props: { onSearch: () => void; onShortcuts: () => void }): JSX.Element {
  return (
    <header class="sticky top-0 z-30 border-b border-border bg-bg sm:col-start-2 sm:row-start-1">
      <div class="mx-auto flex h-14 max-w-[75rem] items-center gap-1 px-4 sm:gap-2 sm:px-6">
        <PageHeading class="me-auto min-w-0 truncate text-lg tracking-tight sm:text-xl" />
        <SearchButton onClick={props.onSearch} />
        <BalancePill />
        <Suspense
          fallback={<span class="size-9 sm:w-20 pointer-coarse:size-11 sm:pointer-coarse:w-24" />}
        >
          <Menus onShortcuts={props.onShortcuts} />
        </Suspense>
      </div>
    </header>
  );
}

/** An icon on small screens, a field-like button on large ones. */
function SearchButton(props: { onClick: () => void }): JSX.Element {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      class="inline-flex size-9 shrink-0 items-center justify-center gap-2 rounded-control text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:size-11 lg:w-64! lg:justify-start lg:border lg:border-control lg:px-3"
      onClick={() => props.onClick()}
    >
      <Search class="size-5 shrink-0 lg:size-4" aria-hidden="true" />
      <span class="sr-only truncate lg:not-sr-only">Search or jump to…</span>
      <kbd class="ms-auto hidden rounded-[4px] border border-border px-1.5 font-sans text-xs whitespace-nowrap lg:inline">
        {isMac ? "⌘ K" : "Ctrl K"}
      </kbd>
    </button>
  );
}
