// Calls refused before anything was tried: because the process had no capacity left, by what was overloaded, or
// because nothing could be charged.

import { Counter, type Registry } from "prom-client";

/** The queue where calls waited too long, `memory`, or what keeps charges from being written. */
export type ShedReason = "hold" | "charge" | "eventLoop" | "memory" | "database" | "clock";

export type OverloadMeters = { callShed(reason: ShedReason): void };

/** Dashboards know the reasons by these names. */
const labels = {
  hold: "hold_wait",
  charge: "settle_wait",
  eventLoop: "event_loop",
  memory: "memory",
  database: "database",
  clock: "clock",
} satisfies Record<ShedReason, string>;

export function createOverloadMeters(registry: Registry): OverloadMeters {
  const shed = new Counter({
    name: "turnpike_shed_calls_total",
    help: "Calls refused with 503 because the process was overloaded or could not charge, by reason.",
    labelNames: ["reason"] as const,
    registers: [registry],
  });
  const children = {
    hold: shed.labels({ reason: labels.hold }),
    charge: shed.labels({ reason: labels.charge }),
    eventLoop: shed.labels({ reason: labels.eventLoop }),
    memory: shed.labels({ reason: labels.memory }),
    database: shed.labels({ reason: labels.database }),
    clock: shed.labels({ reason: labels.clock }),
  } satisfies Record<ShedReason, Counter.Internal>;
  // Initialized to 0, so that rate() includes the first refusals.
  for (const child of Object.values(children)) child.inc(0);
  return { callShed: (reason) => children[reason].inc() };
}
