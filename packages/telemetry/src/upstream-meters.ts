// The outcomes of calls to providers, by provider and route. Both names come from the catalogue, so the number
// of series is bounded.
import { Counter, type Registry } from "prom-client";

export type UpstreamAttempt = {
  readonly provider: string;
  /** The provider's name of the model. */
  readonly route: string;
  /** `ok`, or the code of the Fault that ended it. */
  readonly outcome: string;
};

export type UpstreamMeters = { countUpstreamAttempt(attempt: UpstreamAttempt): void };

export function openUpstreamMeters(registry: Registry): UpstreamMeters {
  const attempts = new Counter({
    name: "turnpike_upstream_attempts_total",
    help: "Calls to providers that ended, by provider, route and outcome.",
    labelNames: ["provider", "route", "outcome"] as const,
    registers: [registry],
  });
  const children = new Map<string, Counter.Internal>();
  return {
    countUpstreamAttempt({ provider, route, outcome }) {
      const key = `${provider} ${route} ${outcome}`;
      let child = children.get(key);
      if (child === undefined) {
        child = attempts.labels({ provider, route, outcome });
        children.set(key, child);
      }
      child.inc();
    },
  };
}
