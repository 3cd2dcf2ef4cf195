// How late timers fire in this process: the wait every request shares. The gauge shows the worst
// delay since the last scrape, so a short stall between two scrapes is not missed.

import { Gauge, type Registry } from "prom-client";

const intervalMs = 250;

/** Starts watching; the returned function stops it. The timer never keeps the process alive. */
export function watchEventLoop(registry: Registry): () => void {
  let worstMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    worstMs = Math.max(worstMs, now - last - intervalMs);
    last = now;
  }, intervalMs);
  timer.unref();
  new Gauge({
    name: "turnpike_event_loop_lag_seconds",
    help: "Longest delay of a timer since the last scrape.",
    registers: [registry],
    collect() {
      this.set(worstMs / 1000);
      worstMs = 0;
    },
  });
  return () => clearInterval(timer);
}
