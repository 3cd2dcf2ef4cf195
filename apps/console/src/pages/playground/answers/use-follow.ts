// Scrolls along with an answer as it grows, but only while the reader is at the bottom of the page. The
// reader's own message is always scrolled into view.
import { type Accessor, createEffect, createSignal, on, onCleanup } from "solid-js";

const nearPx = 96;

export function useFollow(messages: Accessor<number>, grown: Accessor<unknown>) {
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
      messages,
      (count, before = 0) => {
        if (count > before) queueMicrotask(jump);
      },
      { defer: true },
    ),
  );
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
