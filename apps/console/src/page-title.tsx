// The one `h1` of a page: its words come from the list of pages, or from the page itself where it
// shows one named thing, such as a key.

import { useLocation } from "@solidjs/router";
import type { Accessor, JSX, ParentProps } from "solid-js";
import { createContext, createEffect, createSignal, on, onCleanup, useContext } from "solid-js";
import { useProductName } from "./session.ts";

type TitleContext = {
  readonly title: Accessor<string>;
  readonly setOwn: (title: string | undefined) => void;
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
  const title = () => own() ?? props.fallback;
  createEffect(() => {
    document.title = `${title()} · ${product()}`;
  });
  return <Context.Provider value={{ title, setOwn }}>{props.children}</Context.Provider>;
}

/** For pages about one thing: `usePageTitle(() => key.data?.name)`. */
export function usePageTitle(title: Accessor<string | undefined>): void {
  const { setOwn } = useTitleContext();
  createEffect(() => setOwn(title()));
  onCleanup(() => setOwn(undefined));
}

/** The heading itself; takes the focus when the route changes, so that screen readers follow. */
export function PageHeading(props: { class: string }): JSX.Element {
  const { title } = useTitleContext();
  const location = useLocation();
  let heading: HTMLHeadingElement | undefined;
  createEffect(
    on(
      () => location.pathname,
      () => queueMicrotask(() => heading?.focus({ preventScroll: true })),
      { defer: true },
    ),
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
