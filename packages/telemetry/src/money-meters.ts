// Money moved by this process, in nano-dollars. The books are in PostgreSQL; these are floats
// that show rates and trends, and nothing ever reads them back.

import type { Nanos } from "@turnpike/terms";
import type { Registry } from "prom-client";
import { createCounter, createGauge } from "./create-number.ts";

export type MoneyMeters = {
  /** A hold was granted. */
  holdPlaced(amountNanos: Nanos): void;
  /** A hold of this process ended in any way: its amount is no longer held. */
  holdEnded(amountNanos: Nanos): void;
  countSettled(chargedNanos: Nanos): void;
  /** Cost that could not be charged. */
  countShortfall(amountNanos: Nanos): void;
};

export function createMoneyMeters(registry: Registry): MoneyMeters {
  const addHeld = createGauge(registry, {
    name: "turnpike_held_nanos",
    help: "Money held for requests of this process that have not ended, in nano-dollars.",
  });
  const addPlaced = createCounter(registry, {
    name: "turnpike_holds_placed_nanos_total",
    help: "Money reserved by holds, in nano-dollars.",
  });
  const addSettled = createCounter(registry, {
    name: "turnpike_settled_nanos_total",
    help: "Money charged for requests, in nano-dollars.",
  });
  const addShortfall = createCounter(registry, {
    name: "turnpike_shortfall_nanos_total",
    help: "Cost of requests that exceeded what could be charged, in nano-dollars.",
  });
  return {
    holdPlaced(amountNanos) {
      const amount = Number(amountNanos);
      addHeld(amount);
      addPlaced(amount);
    },
    holdEnded: (amountNanos) => addHeld(-Number(amountNanos)),
    countSettled: (chargedNanos) => addSettled(Number(chargedNanos)),
    countShortfall: (amountNanos) => addShortfall(Number(amountNanos)),
  };
}
