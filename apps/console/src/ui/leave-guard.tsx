// Asks before a page with unsaved changes is left; the question is that of forms in dialogs, too.
import { useBeforeLeave } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, onCleanup } from "solid-js";
import { withoutAccount } from "../lib/account-address.ts";
import { AlertDialog } from "./alert-dialog.tsx";

/** For pages with forms that are saved by a button. */
export function LeaveGuard(props: { form: { dirty: () => boolean } }): JSX.Element {
  const [retry, setRetry] = createSignal<() => void>();
  useBeforeLeave((event) => {
    if (event.defaultPrevented || !props.form.dirty() || mayLeave(event.to)) return;
    event.preventDefault();
    setRetry(() => () => event.retry(true));
  });
  const warn = (event: BeforeUnloadEvent) => {
    if (props.form.dirty()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  onCleanup(() => removeEventListener("beforeunload", warn));
  return <DiscardDialog leave={retry()} onAnswer={() => setRetry(undefined)} />;
}

export function DiscardDialog(props: {
  leave: (() => void) | undefined;
  onAnswer: () => void;
}): JSX.Element {
  return (
    <AlertDialog
      open={props.leave !== undefined}
      onOpenChange={props.onAnswer}
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={() => {
        const { leave } = props;
        props.onAnswer();
        leave?.();
      }}
    >
      Your changes will be lost.
    </AlertDialog>
  );
}

/** A new query string is the same page; an expired session always leaves the page, keeping a draft. */
export function mayLeave(to: string | number): boolean {
  const path = typeof to === "string" ? to.split(/[?#]/)[0] : undefined;
  return path === location.pathname || withoutAccount(path ?? "") === "/login";
}
