// Asks before a page or a dialog with unsaved changes is left.
import { useBeforeLeave } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, onCleanup, onMount } from "solid-js";
import { withoutAccount } from "../lib/account-address.ts";
import { AlertDialog } from "./alert-dialog.tsx";
import type { DialogGuard } from "./dialog-guards.ts";

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

/** For a form in a dialog, which Esc or a click beside it would close. */
export function DialogLeaveGuard(props: {
  form: { dirty: () => boolean };
  guards: Set<DialogGuard>;
}): JSX.Element {
  const [leave, setLeave] = createSignal<() => void>();
  const guard: DialogGuard = (close) => {
    if (!props.form.dirty()) return false;
    setLeave(() => close);
    return true;
  };
  onMount(() => props.guards.add(guard));
  onCleanup(() => props.guards.delete(guard));
  return <DiscardDialog leave={leave()} onAnswer={() => setLeave(undefined)} />;
}

function DiscardDialog(props: {
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
