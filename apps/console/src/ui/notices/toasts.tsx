// Toasts confirm what is not already visible: polite, at most three, six seconds, paused while the
// pointer or the focus is on them; eight with an action, such as an offer to undo. Never the only place for an error or a secret.
import type { JSX } from "solid-js";
import { createSignal, ErrorBoundary, lazy, Show, Suspense } from "solid-js";
import type { Toast } from "./toast-region.tsx";

const load = () => import("./toast-region.tsx");
const ToastRegion = lazy(load);
const [wanted, setWanted] = createSignal(false);

/**
 * Loads the region, for pages that may show a toast: screen readers announce what appears in a region that is already
 * there. The public pages do without its code.
 */
export function prepareToasts(): void {
  setWanted(true);
}

/** The region in which toasts appear; once per page. */
export function Toasts(): JSX.Element {
  return (
    // If the chunk cannot be loaded there are no toasts; they are never the only place for a message.
    <ErrorBoundary fallback={null}>
      <Suspense>
        <Show when={wanted()}>
          <ToastRegion />
        </Show>
      </Suspense>
    </ErrorBoundary>
  );
}

/** `showToast("Saved")`, or with an action: `showToast({ text, action: { label: "Undo", run } })`. */
export function showToast(toast: Toast | string): void {
  prepareToasts();
  load().then(
    ({ addToast }) => addToast(typeof toast === "string" ? { text: toast } : toast),
    () => undefined,
  );
}
