// What a card shows instead of data: nothing yet, nothing found, or an error. Each says what to do next.
import type { JSX } from "solid-js";
import { onCleanup, Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { Button } from "../buttons/button.tsx";
import { CopyButton } from "../buttons/copy-button.tsx";
import { CircleAlert } from "../icons.ts";

type EmptyStateProps = {
  /** One sentence. */
  title: string;
  icon?: JSX.Element;
  /** The primary action. */
  action?: JSX.Element;
  /** A link to the docs. */
  link?: JSX.Element;
  children?: JSX.Element;
};

/** Nothing yet, or no results (then the action is "Clear filters"). */
export function EmptyState(props: EmptyStateProps): JSX.Element {
  return (
    <div class="flex flex-col items-center gap-4 px-5 py-12 text-center">
      <Show when={props.icon}>
        <span
          aria-hidden="true"
          class="flex size-10 items-center justify-center rounded-full border border-border bg-surface text-muted"
        >
          {props.icon}
        </span>
      </Show>
      <p class="max-w-md text-lg">{props.title}</p>
      <Show when={props.children}>
        <div class="w-full max-w-2xl text-start">{props.children}</div>
      </Show>
      <Show when={props.action || props.link}>
        <div class="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
          {props.action}
          {props.link}
        </div>
      </Show>
    </div>
  );
}

type ErrorStateProps = {
  error: unknown;
  /** As in "Couldn't load {what}." */
  what: string;
  onRetry: () => void;
  retrying?: boolean | undefined;
};

/** For these there is nothing to say beyond that loading failed. */
const own: readonly string[] = ["internal_error", "unreadable"];

/** A card's own failure: what failed, that nothing changed, the reference, and another try. */
export function ErrorState(props: ErrorStateProps): JSX.Element {
  const failure = () => readFailure(props.error);
  let box: HTMLDivElement | undefined;
  onCleanup(() => keepFocus(box));
  const detail = () => (own.includes(failure().code) ? undefined : describeFailure(failure()));
  return (
    <div
      role="alert"
      ref={(element) => {
        box = element;
      }}
      // A separate card, unless it is inside one.
      class="flex flex-col items-center gap-3 rounded-card border border-border px-5 py-10 text-center in-data-card:border-0 in-[[role=dialog]]:border-0"
    >
      <CircleAlert class="size-5 text-danger" aria-hidden="true" />
      <p class="max-w-md">Couldn't load {props.what}.</p>
      <Show when={detail()}>
        <p class="max-w-md text-sm text-muted">{detail()}</p>
      </Show>
      <Button pending={props.retrying} onClick={props.onRetry}>
        Try again
      </Button>
      <Reference id={failure().requestId} />
    </div>
  );
}

/** Moves focus to where "Try again" was: a dialog that loses the focus does not receive Esc. */
function keepFocus(box: HTMLElement | undefined): void {
  if (!box?.contains(document.activeElement)) return;
  box.closest<HTMLElement>("[role=dialog], main")?.focus({ preventScroll: true });
}

/** The reference for support. */
export function Reference(props: { id: string | undefined }): JSX.Element {
  return (
    <Show when={props.id}>
      {(id) => (
        <span class="inline-flex items-center gap-1 text-sm text-muted">
          <span translate="no" class="font-mono text-xs">
            Reference {id()}
          </span>
          <CopyButton text={id()} label="Copy reference" iconOnly />
        </span>
      )}
    </Show>
  );
}
