// Toasts confirm what is not already visible: polite, at most three, six seconds, paused while the
// pointer or the focus is on them; eight with an action, such as an offer to undo. Never the only place for an error or a secret.
import type { JSX } from "solid-js";
import { ErrorBoundary, lazy, Suspense } from "solid-js";
import type { Toast } from "./toast-region.tsx";

const load = () => import("./toast-region.tsx");
const ToastRegion = lazy(load);

/** The region in which toasts appear; once per page. Loaded after the page itself. */
export function Toasts(): JSX.Element {
  return (
    // If the chunk cannot be loaded there are no toasts; they are never the only place for a message.
    <ErrorBoundary fallback={null}>
      <Suspense>
        <ToastRegion />
      </Suspense>
    </ErrorBoundary>
  );
}

/** `showToast("Saved")`, or with an action: `showToast({ text, action: { label: "Undo", run } })`. */
export function showToast(toast: Toast | string): void {
  load().then(
    ({ addToast }) => addToast(typeof toast === "string" ? { text: toast } : toast),
    () => undefined,
  );
}
