// The current time for relative times, moving each minute, and not at all in hidden tabs.
import { type Accessor, createSignal, onCleanup } from "solid-js";

const minuteMs = 60_000;

export function useNow(everyMs = minuteMs): Accessor<Date> {
  const [now, setNow] = createSignal(new Date());
  const update = () => {
    if (!document.hidden) setNow(new Date());
  };
  const timer = setInterval(update, everyMs);
  document.addEventListener("visibilitychange", update);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", update);
  });
  return now;
}
