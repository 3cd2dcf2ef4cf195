// The frame of the sign-in group: one column and nothing else.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Logo } from "./logo.tsx";
import { PageHeading } from "./page-title.tsx";

export function Entrance(props: { children: JSX.Element }): JSX.Element {
  return (
    <div class="flex min-h-dvh flex-col bg-surface">
      <header class="flex h-14 shrink-0 items-center px-4 sm:px-6">
        <A href="/" class="inline-flex rounded-control">
          <Logo />
        </A>
      </header>
      <main id="main" tabindex={-1} class="mx-auto w-full max-w-md flex-1 px-4 pt-[6vh] pb-16">
        <div class="rounded-card border border-border bg-bg p-6 sm:p-8">
          <PageHeading class="mb-6 text-xl tracking-tight" />
          {props.children}
        </div>
      </main>
    </div>
  );
}
