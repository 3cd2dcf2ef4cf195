// A bordered surface with a heading. Pages are made of cards, and one that fails blanks no other.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createUniqueId, Show } from "solid-js";

type CardProps = {
  title?: string | undefined;
  /** One sentence under the title. */
  description?: JSX.Element;
  /** At the end of the title's row. */
  actions?: JSX.Element;
  children: JSX.Element;
  /** No padding, for tables and snippets that have their own. */
  flush?: boolean | undefined;
};

export function Card(props: CardProps): JSX.Element {
  const id = createUniqueId();
  return (
    <section
      aria-labelledby={props.title ? id : undefined}
      data-card=""
      class="min-w-0 overflow-clip rounded-card border border-border bg-bg"
    >
      <Show when={props.title}>
        <header
          class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4"
          classList={{ "pb-4 border-b border-border": props.flush === true }}
        >
          <div class="min-w-0 flex-1 basis-60">
            <h2 id={id} class="text-lg font-semibold">
              {props.title}
            </h2>
            <Show when={props.description}>
              <p class="mt-0.5 text-sm text-muted">{props.description}</p>
            </Show>
          </div>
          {props.actions}
        </header>
      </Show>
      <div class={props.flush ? "" : "p-5"}>{props.children}</div>
    </section>
  );
}

type FigureCardProps = {
  label: string;
  /** 28 px; the figure itself. */
  children: JSX.Element;
  /** Change, runway, comparison: one muted line. */
  note?: JSX.Element;
  href?: string | undefined;
};

/** A headline number; with `href` the whole card is one link. */
export function FigureCard(props: FigureCardProps): JSX.Element {
  return (
    <div
      class="relative min-w-0 rounded-card border border-border bg-bg px-4 py-3.5 transition-colors"
      classList={{ "hover:bg-surface": props.href !== undefined }}
    >
      <div class="truncate text-sm text-muted">
        <Show when={props.href} fallback={props.label}>
          {(href) => (
            <A href={href()} class="after:absolute after:inset-0 after:rounded-card">
              {props.label}
            </A>
          )}
        </Show>
      </div>
      <div class="figures mt-1 text-xl leading-snug text-balance font-semibold tracking-tight lg:text-2xl">
        {props.children}
      </div>
      <div class="mt-0.5 min-h-[1.3rem] text-sm text-muted">{props.note}</div>
    </div>
  );
}
