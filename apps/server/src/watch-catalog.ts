// Follows a catalog that was applied elsewhere, by SIGHUP to another instance or by an operator, and what operators
// switch off and on: immediately by notification, and within ten seconds by polling if none arrives.
import { catalogChannel } from "@turnpike/catalog";
import type { Listener } from "@turnpike/db";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";

const pollEveryMs = 10_000;

export type CatalogWatch = { readonly close: () => Promise<void> };

export async function watchCatalog(options: {
  /** Closed by its owner. */
  readonly listener: Listener;
  /** Called repeatedly, whether anything has changed or not. */
  readonly follow: () => Promise<void>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "jobRan">;
}): Promise<CatalogWatch> {
  const { follow, listener, log, metrics } = options;
  const loop = startInterval(pollEveryMs, follow, { job: "follow catalog", log, metrics });
  const onChange = () => void loop.runNow();
  try {
    await listener.subscribe(catalogChannel, { onMessage: onChange, onReconnect: onChange });
    // What changed after it was read and before this.
    onChange();
  } catch (error) {
    log.warn({ err: error }, "changes of the catalog do not arrive; polling every ten seconds");
  }
  return { close: loop.stop };
}
