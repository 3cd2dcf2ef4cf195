// Draws parts of a long page in tasks of their own, while the page as the build drew it is still shown: the reader's
// taps and scrolling come between them. Without that page everything is drawn at once.
import type { JSX, ParentProps } from "solid-js";
import { createEffect, createSignal, Show, untrack } from "solid-js";

const waiting: (() => void)[] = [];
const listeners: (() => void)[] = [];

/** Calls `look` whenever no part waits for its turn. */
export function whenNoPartWaits(look: () => void): void {
  listeners.push(look);
}

export function somePartWaits(): boolean {
  return waiting.length > 0;
}

function drawFirst(): void {
  waiting[0]?.();
  // After it, so that what is drawn within it waits for its turn too.
  waiting.shift();
  if (waiting.length > 0) setTimeout(drawFirst);
  else for (const look of listeners) look();
}

type LaterProps = ParentProps<{
  /** What it needs is known; until then it has no turn. */
  ready?: boolean;
}>;

/** After those that were ready before it. */
export function Later(props: LaterProps): JSX.Element {
  const [due, setDue] = createSignal(document.getElementById("first-view") === null);
  createEffect(() => {
    if (untrack(due) || props.ready === false) return;
    if (waiting.length === 0) setTimeout(drawFirst);
    waiting.push(() => setDue(true));
  });
  return <Show when={due()}>{props.children}</Show>;
}
