// Follows a catalogue that was applied elsewhere, by SIGHUP to another instance or by an operator:
// immediately by notification, and within ten seconds by polling if none arrives.
import { catalogChannel, readAppliedVersion } from "@turnpike/catalog";
import type { Db, Listener } from "@turnpike/db";
import { every, type Log } from "@turnpike/telemetry";

const pollEveryMs = 10_000;

export type CatalogWatch = { readonly close: () => Promise<void> };

export async function watchCatalog(options: {
  readonly db: Db;
  /** Closed by its owner. */
  readonly listener: Listener;
  /** Called with the version applied last, repeatedly. */
  readonly follow: (version: string) => Promise<void>;
  readonly log: Log;
}): Promise<CatalogWatch> {
  const { db, follow, listener, log } = options;

  async function check(): Promise<void> {
    const version = await readAppliedVersion(db);
    if (version !== undefined) await follow(version);
  }

  const loop = every(pollEveryMs, check, { job: "follow catalogue", log });
  const onChange = () => void loop.runNow();
  try {
    await listener.subscribe(catalogChannel, { onMessage: onChange, onGap: onChange });
  } catch (error) {
    log.warn({ err: error }, "changes of the catalogue do not arrive; polling every ten seconds");
  }
  return { close: loop.stop };
}
