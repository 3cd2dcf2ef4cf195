// The frame for signed-out visitors: landing page, models and docs, with sign-in and sign-up at the top.
import { A, useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { ButtonLink } from "../ui/buttons/button.tsx";
import { Later } from "../ui/states/later.tsx";
import { Logo } from "./logo.tsx";
import { PageHeading } from "./page-title.tsx";
import { useSearchKey } from "./palette/use-go-keys.ts";
import { SkipLink } from "./skip-link.tsx";

const linkClass =
  "inline-flex h-9 items-center rounded-control px-3 whitespace-nowrap text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:text-text pointer-coarse:h-11";

export function PublicFrame(props: { children: JSX.Element }): JSX.Element {
  const location = useLocation();
  useSearchKey();
  return (
    <>
      <SkipLink />
      <header class="sticky top-0 z-30 border-b border-border bg-bg">
        <div class="mx-auto flex h-14 max-w-[75rem] items-center gap-1 px-4 sm:gap-2 sm:px-6">
          <A href="/" end class="me-auto inline-flex rounded-control sm:me-4">
            <Logo tight />
          </A>
          <Later>
            <Places class="me-auto hidden sm:flex" />
            <A href="/login" class={linkClass}>
              Sign in
            </A>
            <ButtonLink href="/register" variant="primary">
              Create account
            </ButtonLink>
          </Later>
        </div>
      </header>
      {/* A line of its own, which scrolls away: beside the buttons there is no room. Style alone chooses which of the two
      is shown, so that the page drawn by the build is right on every device. */}
      <Later>
        <Places class="flex border-b border-border px-1 sm:hidden" />
      </Later>
      <main id="main" tabindex={-1} class="mx-auto w-full max-w-[75rem] px-4 pt-6 pb-20 sm:px-6">
        {/* The landing page has its own, larger heading. */}
        <Show when={location.pathname !== "/"}>
          <PageHeading class="mb-5 text-xl tracking-tight" />
        </Show>
        {props.children}
      </main>
    </>
  );
}

const places = [
  { href: "/models", title: "Models" },
  { href: "/docs", title: "Docs" },
  { href: "/status", title: "Status" },
] as const;

function Places(props: { class: string }): JSX.Element {
  return (
    <nav aria-label="Main" class={props.class}>
      <For each={places}>
        {({ href, title }) => (
          <A href={href} class={linkClass}>
            {title}
          </A>
        )}
      </For>
    </nav>
  );
}
