// Asks before input is lost: when its page is left or reloaded, or the dialog around it is closed. Every form has one.
import { useBeforeLeave } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, lazy, onCleanup, Show, Suspense, useContext } from "solid-js";
import { withoutAccount } from "../../lib/account-address.ts";
import { type DialogGuard, DialogGuards } from "./dialog-guards.ts";

const DiscardDialog = lazy(() => import("./discard-dialog.tsx"));

type LeaveGuardProps = {
  dirty: boolean;
  /** What is being sent leaves the page on its own. */
  pending?: boolean | undefined;
};

export function LeaveGuard(props: LeaveGuardProps): JSX.Element {
  const [leave, setLeave] = createSignal<() => void>();
  const isLost = () => props.dirty && props.pending !== true;
  useBeforeLeave((event) => {
    if (event.defaultPrevented || !isLost() || mayLeave(event.to)) return;
    event.preventDefault();
    setLeave(() => () => event.retry(true));
  });
  const warn = (event: BeforeUnloadEvent) => {
    if (isLost()) event.preventDefault();
  };
  addEventListener("beforeunload", warn);
  const guards = useContext(DialogGuards);
  const guard: DialogGuard = (close) => {
    if (props.dirty) setLeave(() => close);
    return props.dirty;
  };
  guards?.add(guard);
  onCleanup(() => {
    removeEventListener("beforeunload", warn);
    guards?.delete(guard);
  });
  return (
    <Show when={leave()}>
      <Suspense>
        <DiscardDialog leave={leave()} onAnswer={() => setLeave(undefined)} />
      </Suspense>
    </Show>
  );
}

/** A new query string is the same page; an expired session always leaves the page, keeping a draft. */
export function mayLeave(to: string | number): boolean {
  const path = typeof to === "string" ? to.split(/[?#]/)[0] : undefined;
  return path === location.pathname || withoutAccount(path ?? "") === "/login";
}
