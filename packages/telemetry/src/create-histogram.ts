// A histogram that every call observes: numbers that a scrape reads. prom-client would create several objects
// for each observation.
import { Histogram, type Registry } from "prom-client";
import { SeriesTree } from "./series-tree.ts";

export type HistogramOptions = {
  readonly name: string;
  readonly help: string;
  /** At most three. */
  readonly labelNames?: readonly string[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
};

/** Opens the histogram; what it returns observes a value, of the series with these values of its labels. */
export function createHistogram(
  registry: Registry,
  options: HistogramOptions,
): (value: number, first?: string, second?: string, third?: string) => void {
  const histogram = new CountedHistogram(options);
  registry.registerMetric(histogram);
  return (value, first, second, third) => histogram.count(value, first, second, third);
}

class CountedHistogram extends Histogram {
  readonly #options: HistogramOptions;
  /** Of each series the counts of its buckets, then of all values, then the sum of these. */
  readonly #tree: SeriesTree<Float64Array>;

  constructor(options: HistogramOptions) {
    const { labelNames = [], buckets } = options;
    super({ ...options, labelNames: [...labelNames], buckets: [...buckets], registers: [] });
    this.#options = options;
    this.#tree = new SeriesTree(() => new Float64Array(buckets.length + 2));
    if (labelNames.length === 0) this.#tree.find();
  }

  count(value: number, first?: string, second?: string, third?: string): void {
    const { buckets } = this.#options;
    const series = this.#tree.find(first, second, third);
    const length = buckets.length;
    series[length] = (series[length] ?? 0) + 1;
    series[length + 1] = (series[length + 1] ?? 0) + value;
    for (let index = 0; index < length; index += 1) {
      if (value > (buckets[index] ?? 0)) continue;
      series[index] = (series[index] ?? 0) + 1;
      return;
    }
  }

  /** What prom-client calls for a scrape, and what its own `get` is made from. */
  async getForPromString() {
    const { name, help, labelNames = [] } = this.#options;
    const values = [...this.#tree.entries()].flatMap(([labelValues, series]) => {
      const pairs = labelNames.map((label, index) => [label, labelValues[index] ?? ""]);
      return this.#describe(Object.fromEntries(pairs), series);
    });
    return { name, help, type: "histogram", aggregator: "sum", values };
  }

  #describe(own: Readonly<Record<string, string>>, series: Float64Array) {
    const { name, buckets } = this.#options;
    const entry = (
      suffix: string,
      value: number,
      labels: Record<string, string | number> = own,
    ) => {
      return { metricName: `${name}_${suffix}`, labels, sharedLabels: {}, value };
    };
    const count = series[buckets.length] ?? 0;
    let below = 0;
    const values = buckets.map((le, index) => {
      below += series[index] ?? 0;
      return entry("bucket", below, { le, ...own });
    });
    values.push(entry("bucket", count, { le: "+Inf", ...own }));
    values.push(entry("sum", series[buckets.length + 1] ?? 0), entry("count", count));
    return values;
  }
}
