// Follows an answer as it grows, but only while its reader is at the bottom of the page.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";

const nearPx = 96;

export function useFollow(grown: Accessor<unknown>) {
  const [away, setAway] = createSignal(false);
  const page = document.documentElement;
  const look = () => setAway(page.scrollHeight - innerHeight - scrollY > nearPx);
  const jump = () => {
    scrollTo({ top: page.scrollHeight });
    setAway(false);
  };
  addEventListener("scroll", look, { passive: true });
  onCleanup(() => removeEventListener("scroll", look));
  createEffect(
    on(
      grown,
      () => {
        if (!away()) queueMicrotask(jump);
      },
      { defer: true },
    ),
  );
  return { away, jump };
}
