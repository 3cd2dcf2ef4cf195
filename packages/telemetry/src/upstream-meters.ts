// The outcomes and first-token times of calls to providers, by provider and route. Both names come from the catalog, so the number
// of series is bounded.
import type { Registry } from "prom-client";
import { createHistogram } from "./create-histogram.ts";
import { createSeries } from "./create-series.ts";

export type UpstreamAttempt = {
  readonly provider: string;
  /** The provider's name of the model. */
  readonly route: string;
  /** `ok`, or the code of the Fault that ended it. */
  readonly outcome: string;
};

export type UpstreamMeters = {
  countUpstreamAttempt(attempt: UpstreamAttempt): void;
  /** From the start of an attempt to the first token of its stream. */
  observeUpstreamFirstToken(provider: string, route: string, milliseconds: number): void;
};

export function createUpstreamMeters(registry: Registry): UpstreamMeters {
  const countAttempt = createSeries(registry, {
    name: "turnpike_upstream_attempts_total",
    help: "Calls to providers that ended, by provider, route and outcome.",
    labelNames: ["provider", "route", "outcome"],
  });
  const observeFirstToken = createHistogram(registry, {
    name: "turnpike_upstream_first_token_seconds",
    help: "From the start of a streamed call to a provider to its first token.",
    labelNames: ["provider", "route"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60],
  });
  return {
    countUpstreamAttempt: ({ provider, route, outcome }) =>
      countAttempt(1, provider, route, outcome),
    observeUpstreamFirstToken: (provider, route, milliseconds) =>
      observeFirstToken(milliseconds / 1000, provider, route),
  };
}
