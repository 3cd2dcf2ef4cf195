// A counter with labels that every call changes: numbers that a scrape reads. prom-client would build a text of
// all labels for each change.
import { Counter, type Registry } from "prom-client";
import { SeriesTree } from "./series-tree.ts";

export type SeriesOptions = {
  readonly name: string;
  readonly help: string;
  /** At most three. */
  readonly labelNames: readonly [string, string?, string?];
};

/** Opens the counter; what it returns adds to the series with these values of its labels, in their order. */
export function createSeries(
  registry: Registry,
  { name, help, labelNames }: SeriesOptions,
): (amount: number, first: string, second?: string, third?: string) => void {
  const tree = new SeriesTree(() => new Float64Array(1));
  new Counter({
    name,
    help,
    labelNames: labelNames.filter((label) => label !== undefined),
    registers: [registry],
    collect() {
      this.reset();
      for (const [values, [total = 0]] of tree.entries()) this.labels(...values).inc(total);
    },
  });
  return (amount, first, second, third) => {
    const series = tree.find(first, second, third);
    series[0] = (series[0] ?? 0) + amount;
  };
}
