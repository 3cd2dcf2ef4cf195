// The one `h1` of a page: its text comes from the list of pages, or from the page itself if it shows
// one named thing, such as a key.

import { useLocation } from "@solidjs/router";
import type { Accessor, JSX, ParentProps } from "solid-js";
import { createContext, createEffect, createSignal, on, onCleanup, useContext } from "solid-js";
import { useProductName } from "../lib/session.ts";

type TitleContext = {
  readonly title: Accessor<string>;
  readonly setOwn: (title: string | undefined) => void;
  /** How many pages were opened since the console loaded. */
  readonly opened: Accessor<number>;
};

const Context = createContext<TitleContext>();

function useTitleContext(): TitleContext {
  const context = useContext(Context);
  if (!context) throw new Error("a page title needs a TitleProvider above it");
  return context;
}

/** Keeps `document.title` as "API Keys · Product". */
export function TitleProvider(props: ParentProps<{ fallback: string }>): JSX.Element {
  const [own, setOwn] = createSignal<string>();
  const product = useProductName();
  const location = useLocation();
  const [opened, setOpened] = createSignal(0);
  createEffect(
    on(
      () => location.pathname,
      () => setOpened((count) => count + 1),
      { defer: true },
    ),
  );
  const title = () => own() ?? props.fallback;
  createEffect(() => {
    document.title = `${title()} · ${product()}`;
  });
  return <Context.Provider value={{ title, setOwn, opened }}>{props.children}</Context.Provider>;
}

/** For pages about one thing: `usePageTitle(() => key.data?.name)`. */
export function usePageTitle(title: Accessor<string | undefined>): void {
  const { setOwn } = useTitleContext();
  createEffect(() => setOwn(title()));
  onCleanup(() => setOwn(undefined));
}

/**
 * The heading itself. When another page is opened it takes the focus, so that screen readers follow,
 * unless that page has a field with autofocus.
 */
export function PageHeading(props: { class: string }): JSX.Element {
  const { title, opened } = useTitleContext();
  let heading: HTMLHeadingElement | undefined;
  createEffect(
    on(opened, (count) => {
      if (count > 0) queueMicrotask(() => focusPage(heading));
    }),
  );
  return (
    <h1
      tabindex={-1}
      class={props.class}
      ref={(element) => {
        heading = element;
      }}
    >
      {title()}
    </h1>
  );
}

function focusPage(heading: HTMLElement | undefined): void {
  // A dialog that opened with the page already has the focus.
  if (document.querySelector("[role='dialog'], [role='alertdialog']")) return;
  const field = findField();
  (field ?? heading)?.focus({ preventScroll: true });
  if (!field && heading) handOver(heading);
}

function findField(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main [autofocus]");
}

/** A page that is still loading may contain a field with autofocus. */
function handOver(heading: HTMLElement): void {
  const observer = new MutationObserver(() => findField()?.focus({ preventScroll: true }));
  observer.observe(document.body, { childList: true, subtree: true });
  // Once anything else has taken the focus, it stays there.
  heading.addEventListener("blur", () => observer.disconnect(), { once: true });
}
