// A short text on hover, focus or tap: the exact form of what the page shows in short. It
// never contains anything that is needed to act, and it stays while the pointer is on it (WCAG 2.2, 1.4.13).
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, onCleanup, Show } from "solid-js";
import { Portal } from "solid-js/web";

type TooltipProps = {
  text: string;
  children: JSX.Element;
  /** Keeps it out of the tab order, in table cells whose row has its own link. */
  inRow?: boolean | undefined;
  class?: string | undefined;
};

const edgePx = 8;

export function Tooltip(props: TooltipProps): JSX.Element {
  const id = createUniqueId();
  const [open, setOpen] = createSignal(false);
  let anchor: HTMLSpanElement | undefined;
  let tip: HTMLDivElement | undefined;
  const leave = ({ relatedTarget }: PointerEvent) => {
    const stays = [anchor, tip].some(
      (part) => relatedTarget instanceof Node && part?.contains(relatedTarget),
    );
    if (!stays) hide();
  };
  const hideOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open()) {
      event.stopPropagation();
      hide();
    }
  };
  const show = () => {
    setOpen(true);
    document.addEventListener("keydown", hideOnEscape, true);
    addEventListener("scroll", hide, { passive: true, capture: true });
  };
  const hide = () => {
    setOpen(false);
    document.removeEventListener("keydown", hideOnEscape, true);
    removeEventListener("scroll", hide, { capture: true });
  };
  onCleanup(hide);
  return (
    <span
      ref={(element) => {
        anchor = element;
      }}
      class={`rounded-[2px] ${props.class ?? ""}`}
      tabindex={props.inRow ? undefined : 0}
      aria-describedby={open() ? id : undefined}
      onPointerEnter={show}
      onPointerLeave={leave}
      onPointerUp={(event) => {
        if (event.pointerType === "touch") show();
      }}
      onFocusIn={show}
      onFocusOut={hide}
    >
      {props.children}
      <Show when={open()}>
        <Portal>
          {/* Its padding reaches the anchor, so that the pointer can move from one to the other. */}
          <div
            ref={(element) => {
              tip = element;
              queueMicrotask(() => anchor && place(element, anchor));
            }}
            class="fixed start-0 top-0 z-[60] max-w-xs animate-appear py-1.5"
            onPointerLeave={leave}
          >
            <div
              id={id}
              role="tooltip"
              class="rounded-control border border-border bg-raised px-2.5 py-1.5 text-sm text-text shadow-popover"
            >
              {props.text}
            </div>
          </div>
        </Portal>
      </Show>
    </span>
  );
}

/** Above the anchor if there is room, else below; always inside the window. */
function place(tip: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const above = at.top - size.height;
  const top = above > edgePx ? above : at.bottom;
  const wanted = at.left + at.width / 2 - size.width / 2;
  const left = Math.max(edgePx, Math.min(wanted, innerWidth - size.width - edgePx));
  tip.style.setProperty("left", `${left}px`);
  tip.style.setProperty("top", `${top}px`);
}
