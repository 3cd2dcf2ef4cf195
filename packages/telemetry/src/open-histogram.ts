// A histogram that every call observes: numbers that a scrape reads. prom-client would create several objects
// for each observation.
import { Histogram, type Registry } from "prom-client";

export type HistogramOptions = {
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
};

/** Opens the histogram; what it returns observes a value. */
export function openHistogram(
  registry: Registry,
  options: HistogramOptions,
): (value: number) => void {
  const histogram = new CountedHistogram(options);
  registry.registerMetric(histogram);
  return (value) => histogram.count(value);
}

class CountedHistogram extends Histogram {
  readonly #options: HistogramOptions;
  readonly #counts: Float64Array;
  #count = 0;
  #sum = 0;

  constructor(options: HistogramOptions) {
    super({ ...options, buckets: [...options.buckets], registers: [] });
    this.#options = options;
    this.#counts = new Float64Array(options.buckets.length);
  }

  count(value: number): void {
    const { buckets } = this.#options;
    this.#count += 1;
    this.#sum += value;
    for (let index = 0; index < buckets.length; index += 1) {
      if (value > (buckets[index] ?? 0)) continue;
      this.#counts[index] = (this.#counts[index] ?? 0) + 1;
      return;
    }
  }

  /** What prom-client calls for a scrape, and what its own `get` is made from. */
  async getForPromString() {
    const { name, help, buckets } = this.#options;
    const entry = (suffix: string, value: number, labels = {}) => {
      return { metricName: `${name}_${suffix}`, labels, sharedLabels: {}, value };
    };
    let below = 0;
    const values = buckets.map((le, index) => {
      below += this.#counts[index] ?? 0;
      return entry("bucket", below, { le });
    });
    values.push(entry("bucket", this.#count, { le: "+Inf" }));
    values.push(entry("sum", this.#sum), entry("count", this.#count));
    return { name, help, type: "histogram", aggregator: "sum", values };
  }
}
