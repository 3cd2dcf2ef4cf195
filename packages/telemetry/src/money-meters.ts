// Money moved by this process, in nano-dollars. The books are in PostgreSQL; these are floats
// that show rates and trends, and nothing ever reads them back.

import type { Nanos } from "@turnpike/base";
import { Counter, Gauge, type Registry } from "prom-client";

export type MoneyMeters = {
  /** A hold was granted. */
  holdPlaced(amountNanos: Nanos): void;
  /** A hold of this process ended in any way: its amount is no longer held. */
  holdEnded(amountNanos: Nanos): void;
  countSettled(chargedNanos: Nanos): void;
  /** Cost that could not be charged. */
  countShortfall(amountNanos: Nanos): void;
};

export function openMoneyMeters(registry: Registry): MoneyMeters {
  const held = new Gauge({
    name: "turnpike_held_nanos",
    help: "Money held for requests of this process that have not ended, in nano-dollars.",
    registers: [registry],
  });
  const placed = new Counter({
    name: "turnpike_holds_placed_nanos_total",
    help: "Money reserved by holds, in nano-dollars.",
    registers: [registry],
  });
  const settled = new Counter({
    name: "turnpike_settled_nanos_total",
    help: "Money charged for requests, in nano-dollars.",
    registers: [registry],
  });
  const shortfall = new Counter({
    name: "turnpike_shortfall_nanos_total",
    help: "Cost of requests that exceeded what could be charged, in nano-dollars.",
    registers: [registry],
  });
  return {
    holdPlaced(amountNanos) {
      const amount = Number(amountNanos);
      held.inc(amount);
      placed.inc(amount);
    },
    holdEnded: (amountNanos) => held.dec(Number(amountNanos)),
    countSettled: (chargedNanos) => settled.inc(Number(chargedNanos)),
    countShortfall: (amountNanos) => shortfall.inc(Number(amountNanos)),
  };
}
