// Dialogs: focus goes in, stays in, and returns to the opener; below 640 px a dialog is a sheet.
// Imported by name: the library's `Dialog` object is shared with its alert dialog, including the role.
import * as Primitive from "@kobalte/core/dialog";
import type { JSX } from "solid-js";
import { createEffect, Show } from "solid-js";
import { iconButtonClass } from "../buttons/button.tsx";
import { X } from "../icons.ts";
import { type DialogGuard, DialogGuards } from "./dialog-guards.ts";
import { Opener, useOpener } from "./use-opener.ts";

type DialogProps = {
  open: boolean;
  /** Called on Esc, a click on the overlay or the close button, unless a form keeps it open; the owner decides. */
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string | undefined;
  children: JSX.Element;
  /** `side` is a sheet at the end edge, for details beside a list. */
  shape?: "medium" | "wide" | "full" | "side" | undefined;
  /** A field and what it finds: without padding, and held at the top, where it stays while the list grows and shrinks. */
  search?: boolean | undefined;
  /**
   * Where focus goes first; by default the first field, or the close button of a dialog without
   * fields.
   */
  initialFocus?: (() => HTMLElement | undefined) | undefined;
};

const shapes = {
  medium: "sm:max-w-lg sm:rounded-card sm:max-h-[85dvh] sm:h-auto sm:animate-rise",
  wide: "sm:max-w-3xl sm:rounded-card sm:max-h-[92dvh] sm:h-auto sm:animate-rise",
  full: "sm:max-w-6xl sm:rounded-card sm:max-h-[90dvh] sm:h-auto sm:animate-rise",
  side: "sm:ms-auto sm:me-0 sm:max-w-xl sm:h-dvh sm:border-y-0 sm:border-e-0 sm:animate-appear",
} as const;

export function Dialog(props: DialogProps): JSX.Element {
  const side = () => props.shape === "side";
  const isSearch = () => props.search === true;
  const giveFocusBack = useOpener(() => props.open);
  const guards = new Set<DialogGuard>();
  const change = (open: boolean) => {
    const leave = () => props.onOpenChange(false);
    if (open || ![...guards].some((guard) => guard(leave))) props.onOpenChange(open);
  };
  let content: HTMLElement | undefined;
  // One that is loaded late may open before it is in the document, where nothing takes the focus.
  createEffect(() => {
    if (props.open) setTimeout(() => takeFocus(props.initialFocus?.(), content));
  });
  return (
    <Primitive.Root open={props.open} onOpenChange={change}>
      <Primitive.Portal>
        <Primitive.Overlay class="fixed inset-0 z-40 animate-appear bg-overlay" />
        <div
          class="fixed inset-0 z-50 flex items-stretch justify-center"
          classList={{
            "sm:p-6": !side(),
            "sm:items-center": !side() && !isSearch(),
            "sm:items-start sm:pt-[12dvh]!": isSearch(),
          }}
        >
          <Primitive.Content
            ref={(element: HTMLElement) => {
              content = element;
            }}
            class={`flex h-dvh w-full flex-col overflow-hidden border-border bg-raised shadow-popover focus:outline-none sm:border ${shapes[props.shape ?? "medium"]}`}
            onCloseAutoFocus={giveFocusBack}
            onOpenAutoFocus={(event) => {
              const target = props.initialFocus?.() ?? firstField(event.target);
              if (!target) return;
              event.preventDefault();
              // Only after a dialog below has released the focus.
              setTimeout(() => target.focus());
            }}
          >
            <div class="flex items-start justify-between gap-4 border-b border-border py-3 ps-5 pe-3">
              <div class="min-w-0 py-1.5 wrap-anywhere">
                <Primitive.Title class="text-lg font-semibold">{props.title}</Primitive.Title>
                <Show when={props.description}>
                  <Primitive.Description class="mt-0.5 text-sm text-muted">
                    {props.description}
                  </Primitive.Description>
                </Show>
              </div>
              <Primitive.CloseButton class={iconButtonClass()} aria-label="Close">
                <X class="size-5" aria-hidden="true" />
              </Primitive.CloseButton>
            </div>
            <div
              class="min-h-0 flex-1 overflow-y-auto"
              classList={{ "p-5": !isSearch(), "flex flex-col": isSearch() }}
            >
              {/* What opens from within is opened by something within. */}
              <Opener.Provider value={undefined}>
                <DialogGuards.Provider value={guards}>{props.children}</DialogGuards.Provider>
              </Opener.Provider>
            </div>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Unless it is in this dialog already, or in a dialog or a menu above it: what opens later is later in the document. */
function takeFocus(wanted: HTMLElement | undefined, content: HTMLElement | undefined): void {
  if (content?.isConnected !== true) return;
  const holder = document.activeElement?.closest("[role=dialog], [role=alertdialog], [role=menu]");
  const isBelow =
    content.compareDocumentPosition(holder ?? content) & Node.DOCUMENT_POSITION_PRECEDING;
  if (holder && !isBelow) return;
  (wanted ?? firstField(content) ?? content.querySelector("button"))?.focus();
}

function firstField(content: EventTarget | null): HTMLElement | undefined {
  if (!(content instanceof HTMLElement)) return undefined;
  // A file field is hidden behind its button, an address beside a password is for password managers.
  const fields = "input:not([hidden], [type=hidden], [type=file], :disabled), select, textarea";
  return content.querySelector<HTMLElement>(`[autofocus], :checked, ${fields}`) ?? undefined;
}
