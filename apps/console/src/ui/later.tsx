// Draws parts of a long page in tasks of their own, while the page as the build drew it is still shown: the reader's
// taps and scrolling come between them. Without that page everything is drawn at once.
import type { JSX, ParentProps } from "solid-js";
import { createSignal, onCleanup, Show } from "solid-js";

const waiting = new Set<() => void>();

function drawFirst(): void {
  const [draw] = waiting;
  if (draw === undefined) return;
  draw();
  // After it, so that what is drawn within it waits for its turn too.
  waiting.delete(draw);
  if (waiting.size > 0) setTimeout(drawFirst);
}

/** After those that were made before it. */
export function Later(props: ParentProps): JSX.Element {
  const [due, setDue] = createSignal(document.getElementById("first-view") === null);
  if (!due()) {
    const draw = () => setDue(true);
    if (waiting.size === 0) setTimeout(drawFirst);
    waiting.add(draw);
    onCleanup(() => waiting.delete(draw));
  }
  return <Show when={due()}>{props.children}</Show>;
}
