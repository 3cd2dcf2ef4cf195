// How an instance learns that keys changed: by notification once a message to itself has proved that
// notifications arrive, and by polling every second while they do not. The proof is repeated, so a
// dead connection is replaced and a pooler in between is detected.

import type { Db, Listener } from "@turnpike/db";
import { type Log, startInterval } from "@turnpike/telemetry";
import { pollKeyChanges } from "./poll-key-changes.ts";
import { proveNotifications } from "./prove-notifications.ts";

export type WatchMode = "listening" | "polling";

export type WatchTimes = {
  /** How long a message to itself may take; default 1,000. */
  readonly proofTimeoutMs: number;
  /** From one proof to the next; default 15,000. */
  readonly proofIntervalMs: number;
  /** Default 1,000. */
  readonly pollIntervalMs: number;
};

const defaultTimes: WatchTimes = {
  proofTimeoutMs: 1_000,
  proofIntervalMs: 15_000,
  pollIntervalMs: 1_000,
};

export type KeyWatch = {
  readonly mode: () => WatchMode;
  readonly close: () => Promise<void>;
};

export type KeyWatchOptions = {
  readonly db: Db;
  /** Bypasses any transaction pooler; shared, so closed by its owner. */
  readonly listener: Listener;
  readonly log: Log;
  readonly times: Partial<WatchTimes>;
  /** A key, or all keys of an account, changed. */
  readonly onChange: (id: string) => void;
  /** Changes may have been missed: no cached record can be trusted. */
  readonly onReconnect: () => void;
};

/** Starts watching; resolves after the first proof succeeded or failed. */
export async function watchKeyChanges(options: KeyWatchOptions): Promise<KeyWatch> {
  const times = { ...defaultTimes, ...options.times };
  const poll = pollKeyChanges({ ...options, intervalMs: times.pollIntervalMs });
  const proof = proveNotifications({ ...options, timeoutMs: times.proofTimeoutMs });
  let mode: WatchMode | undefined;
  let closed = false;

  async function prove(): Promise<void> {
    const obstacle = await proof.prove();
    const next = obstacle === undefined ? "listening" : "polling";
    if (closed || next === mode) return;
    mode = next;
    options.onReconnect();
    if (mode === "listening") {
      poll.stop();
      options.log.info("API key changes arrive by notification");
    } else {
      poll.start();
      options.log.warn({ err: obstacle }, "API key changes do not arrive; polling every second");
    }
  }

  const loop = startInterval(times.proofIntervalMs, prove, {
    job: "prove notifications",
    log: options.log,
  });
  await loop.runNow();
  return {
    mode: () => mode ?? "polling",
    async close() {
      closed = true;
      poll.stop();
      await loop.stop();
    },
  };
}
