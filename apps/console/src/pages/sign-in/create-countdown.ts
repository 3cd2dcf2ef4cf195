// Seconds until something may be tried again.
import { type Accessor, createSignal, onCleanup } from "solid-js";

const secondMs = 1_000;

export function createCountdown(): { left: Accessor<number>; start: (seconds: number) => void } {
  const [left, setLeft] = createSignal(0);
  let endsAt = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => clearInterval(timer);
  onCleanup(stop);
  const update = () => {
    const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / secondMs));
    setLeft(seconds);
    if (seconds === 0) stop();
  };
  return {
    left,
    start(seconds) {
      stop();
      endsAt = Date.now() + seconds * secondMs;
      timer = setInterval(update, secondMs);
      update();
    },
  };
}
