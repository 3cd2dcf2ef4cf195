// Gauges and counters without labels that every call changes: a number that a scrape reads. prom-client would
// create several objects for each change.
import { Counter, Gauge, type Registry } from "prom-client";

type NumberOptions = { readonly name: string; readonly help: string };

/** Opens the gauge; what it returns adds to it. */
export function createGauge(registry: Registry, options: NumberOptions): (amount: number) => void {
  let level = 0;
  new Gauge({
    ...options,
    registers: [registry],
    collect() {
      this.set(level);
    },
  });
  return (amount) => {
    level += amount;
  };
}

/** Opens the counter; what it returns adds to it. */
export function createCounter(
  registry: Registry,
  options: NumberOptions,
): (amount: number) => void {
  let total = 0;
  new Counter({
    ...options,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(total);
    },
  });
  return (amount) => {
    total += amount;
  };
}
