// Opens what money needs in this process: its heartbeat, its ledger, and the channel by which instances
// recall each other's idle money. After a lapsed heartbeat every lease is retired before the next one.
import type { Failpoint } from "@turnpike/base";
import type { Db, Listener } from "@turnpike/db";
import type { LoadShedder } from "@turnpike/gateway";
import {
  type Heartbeat,
  keepHeartbeat,
  type Ledger,
  ledgerTimes,
  openLedger,
  openRateBuckets,
  openRecallChannel,
  type RateBuckets,
} from "@turnpike/ledger";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

export type ServerLedger = {
  readonly heartbeat: Heartbeat;
  readonly ledger: Ledger;
  /** What all instances count against rate limits. */
  readonly rateBuckets: RateBuckets;
  /** Running answers must end: others may have closed the leases that pay for them. */
  readonly onLapse: (listener: () => void) => void;
  /** Ends the heartbeat and closes every connection; drain the ledger first. */
  readonly close: () => Promise<void>;
};

export type ServerLedgerOptions = {
  readonly db: Db;
  readonly listener: Listener;
  readonly load: LoadShedder;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
};

export async function openServerLedger(
  config: Config,
  options: ServerLedgerOptions,
): Promise<ServerLedger> {
  const { db, log, metrics, failpoint, load } = options;
  const url = config.DATABASE_URL;
  const atLapse: (() => void)[] = [];
  const heartbeat = await keepHeartbeat({
    url,
    everyMs: config.times.heartbeatMs,
    lapseMs: config.times.heartbeatLapseMs,
    log,
    metrics,
    onLapse() {
      for (const listener of atLapse) listener();
    },
  });
  const { instanceId } = heartbeat;
  const channel = openRecallChannel({
    db,
    listener: options.listener,
    instanceId,
    onRecall: (accountId) => ledger.recall(accountId),
    waitMs: ledgerTimes.recallMs,
    log,
  });
  const ledger = openLedger({
    url,
    sideConnections: config.DATABASE_POOL_LOCKED_ACCOUNTS,
    instanceId,
    log,
    metrics,
    failpoint,
    holdMs: config.times.holdMs,
    onWait: load.record,
    onFailure: heartbeat.suspect,
    admitting: heartbeat.mayAdmit,
    recallElsewhere: async (accountId) => (await channel).recall(accountId),
  });
  atLapse.push(ledger.retireLeases);
  load.watchObstacle(
    () => heartbeat.obstacle() ?? (ledger.outage() === undefined ? undefined : "database"),
  );
  await channel;
  return {
    heartbeat,
    ledger,
    rateBuckets: openRateBuckets({ url, instanceId, silentMs: config.times.silentMs }),
    onLapse: (listener) => atLapse.push(listener),
    async close() {
      await heartbeat.stop();
      await ledger.close();
    },
  };
}
