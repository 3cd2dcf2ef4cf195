// Calls that continue after their client disconnected: how many run, what their bills are based on, and
// how many were cut because too many were running.

import { Counter, Gauge, type Registry } from "prom-client";

/** What its bill is based on; `lost` is a call whose charge failed permanently. */
export type BackgroundUsage = "upstream" | "counted" | "estimated" | "none" | "lost";
export type BackgroundBound = "account" | "process" | "memory";

export type BackgroundMeters = {
  backgroundCallStarted(): void;
  backgroundCallEnded(usage: BackgroundUsage): void;
  /** The call was cut and is billed by the estimate. */
  backgroundCallRefused(bound: BackgroundBound): void;
};

export function createBackgroundMeters(registry: Registry): BackgroundMeters {
  const running = new Gauge({
    name: "turnpike_background_calls",
    help: "Calls whose client disconnected and whose upstream is still answering.",
    registers: [registry],
  });
  const ended = new Counter({
    name: "turnpike_background_calls_ended_total",
    help: "Calls that continued after their client disconnected, by what their bill is based on.",
    labelNames: ["usage"] as const,
    registers: [registry],
  });
  const refused = new Counter({
    name: "turnpike_background_calls_refused_total",
    help: "Calls cut after their client disconnected because a bound was reached, by bound.",
    labelNames: ["bound"] as const,
    registers: [registry],
  });
  return {
    backgroundCallStarted: () => running.inc(),
    backgroundCallEnded(usage) {
      running.dec();
      ended.inc({ usage });
    },
    backgroundCallRefused: (bound) => refused.inc({ bound }),
  };
}
