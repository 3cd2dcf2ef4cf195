// Calls without money that have no row in Logs, because their account had too many of them.

import { Counter, type Registry } from "prom-client";

export type FreeCallMeters = { freeCallNotLogged(): void };

export function createFreeCallMeters(registry: Registry): FreeCallMeters {
  const left = new Counter({
    name: "turnpike_free_calls_not_logged_total",
    help: "Refused and cached calls without a row in Logs: their account had too many in the last hour.",
    registers: [registry],
  });
  return { freeCallNotLogged: () => left.inc() };
}
