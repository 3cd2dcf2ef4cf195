// Draws parts of a long page in tasks of their own, while the page as the build drew it is still shown: the reader's
// taps and scrolling come between them. Without that page everything is drawn at once.
import type { JSX, ParentProps } from "solid-js";
import { createEffect, createSignal, Show, untrack } from "solid-js";

const waiting: (() => void)[] = [];
const listeners = new Set<() => void>();

/**
 * Calls `look` each time the last waiting part has been drawn, also if that part drew nothing, which no observer sees.
 * Returns how to stop it.
 */
export function whenNoPartWaits(look: () => void): () => void {
  listeners.add(look);
  return () => void listeners.delete(look);
}

export function somePartWaits(): boolean {
  return waiting.length > 0;
}

function drawFirst(): void {
  try {
    waiting[0]?.();
  } finally {
    // After it, so that what is drawn within it waits for its turn too; and after one that throws.
    waiting.shift();
    if (waiting.length > 0) setTimeout(drawFirst);
    else for (const look of listeners) look();
  }
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
