// Output items of answers that could not be stored, so that later calls cannot refer to them.

import { Counter, type Registry } from "prom-client";

/**
 * `full`: the account has no room; `late`: the end of the answer did not wait any longer; `paused`: nothing is
 * stored for a while after a `late` one.
 */
export type ItemsNotKept = "full" | "too_large" | "late" | "paused" | "failed";

export type ItemMeters = { itemsNotKept(reason: ItemsNotKept): void };

export function createItemMeters(registry: Registry): ItemMeters {
  const notKept = new Counter({
    name: "turnpike_output_items_not_kept_total",
    help: "Answers whose output items were not all stored, by reason; references to them are refused.",
    labelNames: ["reason"] as const,
    registers: [registry],
  });
  return { itemsNotKept: (reason) => notKept.inc({ reason }) };
}
