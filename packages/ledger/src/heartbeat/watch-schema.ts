// Notices, from heartbeats, that a later version migrated the database beyond what this one can serve. That is
// logged once and never taken back.
import { schemaVersion } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import type { Beat } from "./send-beat.ts";

export type SchemaWatch = {
  readonly note: (beat: Beat) => void;
  readonly isOutdated: () => boolean;
  readonly outdated: Promise<void>;
};

export function watchSchema(log: Log): SchemaWatch {
  const { promise, resolve } = Promise.withResolvers<void>();
  let outdated = false;
  return {
    outdated: promise,
    isOutdated: () => outdated,
    note(beat) {
      if (!beat.outdated || outdated) return;
      outdated = true;
      log.error({ schemaVersion }, "a later version migrated the database: this one must end");
      resolve();
    },
  };
}
