// Draws toasts with Kobalte's primitive, which handles their timing, pausing, limit, swiping and Escape.
import { Toast as ToastPrimitive, toaster } from "@kobalte/core/toast";
import type { JSX } from "solid-js";
import { onCleanup, Show } from "solid-js";
import { CircleAlert, CircleCheck, X } from "../icons.ts";

export type Toast = {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Something failed; shown with an error icon. */
  readonly isError?: boolean;
};

const maxToasts = 3;
const durationMs = 6_000;
const actionDurationMs = 8_000;

export function addToast(toast: Toast): void {
  toaster.show((props) => <ToastCard id={props.toastId} toast={toast} />);
}

export default function ToastRegion(): JSX.Element {
  // The list of toasts belongs to Kobalte's module and outlives the region.
  onCleanup(() => toaster.clear());
  return (
    <ToastPrimitive.Region
      // The region announces, not each toast: browsers miss live regions that appear with their text.
      aria-live="polite"
      aria-label="Notifications"
      limit={maxToasts}
      duration={durationMs}
      // Between the toasts the page stays clickable; Kobalte would cover it.
      style={{ "pointer-events": "none" }}
      class="fixed inset-x-4 bottom-20 z-[70] sm:inset-x-auto sm:end-6 sm:bottom-6"
    >
      <ToastPrimitive.List class="flex flex-col items-center gap-2 sm:items-end" />
    </ToastPrimitive.Region>
  );
}

const card =
  "pointer-events-auto flex max-w-md animate-rise items-center gap-3 rounded-card border border-border bg-raised py-2 ps-4 pe-2 shadow-popover data-[swipe=move]:translate-x-(--kb-toast-swipe-move-x)";

function ToastCard(props: { id: number; toast: Toast }): JSX.Element {
  const duration = () => (props.toast.action ? actionDurationMs : durationMs);
  return (
    <ToastPrimitive
      toastId={props.id}
      role="listitem"
      priority="low"
      duration={duration()}
      class={card}
    >
      <Show
        when={props.toast.isError}
        fallback={<CircleCheck class="size-4 shrink-0 text-success" aria-hidden="true" />}
      >
        <CircleAlert class="size-4 shrink-0 text-danger" aria-hidden="true" />
      </Show>
      <ToastPrimitive.Title class="min-w-0 wrap-anywhere">{props.toast.text}</ToastPrimitive.Title>
      <Show when={props.toast.action}>
        {(action) => (
          <ToastPrimitive.CloseButton
            // Otherwise Kobalte labels its close button "Close".
            aria-label={action().label}
            class="min-h-8 rounded-control px-2 font-medium text-link hover:underline"
            onClick={(event: MouseEvent) => {
              releaseFocus(event);
              action().run();
            }}
          >
            {action().label}
          </ToastPrimitive.CloseButton>
        )}
      </Show>
      <ToastPrimitive.CloseButton
        aria-label="Dismiss"
        class="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
        onClick={releaseFocus}
      >
        <X class="size-4" aria-hidden="true" />
      </ToastPrimitive.CloseButton>
    </ToastPrimitive>
  );
}

/** Timers pause while a toast has focus, and removing a focused button fires no focusout. */
function releaseFocus({ currentTarget }: MouseEvent): void {
  if (currentTarget instanceof HTMLElement) currentTarget.blur();
}
