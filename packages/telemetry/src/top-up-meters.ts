// Top-ups credited by this process, and what an operator must look at: payments that do not match their
// order, and events that were given up.

import type { Nanos } from "@turnpike/terms";
import { Counter, type Registry } from "prom-client";

export type TopUpMeters = {
  /** A top-up was credited. */
  countTopUp(amountNanos: Nanos): void;
  /** A payment did not match its order; nothing was credited for it. */
  countQuarantined(): void;
  /** An event of the payment processor was given up. */
  countDeadEvent(): void;
};

export function createTopUpMeters(registry: Registry): TopUpMeters {
  const credited = new Counter({
    name: "turnpike_top_ups_nanos_total",
    help: "Money credited by top-ups, in nano-dollars.",
    registers: [registry],
  });
  const quarantined = new Counter({
    name: "turnpike_top_ups_quarantined_total",
    help: "Payments that did not match their order; an operator must review them.",
    registers: [registry],
  });
  const dead = new Counter({
    name: "turnpike_stripe_events_dead_total",
    help: "Stripe events given up after the last retry; an operator must review them.",
    registers: [registry],
  });
  return {
    countTopUp: (amountNanos) => credited.inc(Number(amountNanos)),
    countQuarantined: () => quarantined.inc(),
    countDeadEvent: () => dead.inc(),
  };
}
