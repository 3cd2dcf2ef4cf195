// The outcomes of calls to providers, by provider and route. Both names come from the catalogue, so the number
// of series is bounded.
import type { Registry } from "prom-client";
import { openSeries } from "./open-series.ts";

export type UpstreamAttempt = {
  readonly provider: string;
  /** The provider's name of the model. */
  readonly route: string;
  /** `ok`, or the code of the Fault that ended it. */
  readonly outcome: string;
};

export type UpstreamMeters = { countUpstreamAttempt(attempt: UpstreamAttempt): void };

export function openUpstreamMeters(registry: Registry): UpstreamMeters {
  const countAttempt = openSeries(registry, {
    name: "turnpike_upstream_attempts_total",
    help: "Calls to providers that ended, by provider, route and outcome.",
    labelNames: ["provider", "route", "outcome"],
  });
  return {
    countUpstreamAttempt: ({ provider, route, outcome }) => countAttempt(provider, route, outcome),
  };
}
