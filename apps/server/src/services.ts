// Opens everything the server needs, in an order in which each part can rely on the one before, and
// closes it in the reverse order.
import { readFileSync } from "node:fs";
import { type Keyring, openKeyring } from "@turnpike/auth";
import { type Failpoint, noFailpoint } from "@turnpike/base";
import { applyCatalog, type Catalog, readCatalog, withSandboxModels } from "@turnpike/catalog";
import { type Connection, connectDatabase, migrate } from "@turnpike/db";
import { type Gateway, gatewayLimits, gatewayTimes, RateLimiter } from "@turnpike/gateway";
import {
  type Heartbeat,
  keepHeartbeat,
  type Ledger,
  openLedger,
  openRefusalLog,
  type RefusalLog,
} from "@turnpike/ledger";
import { type Log, type Metrics, openLog, openMetrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

export type Services = {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly database: Connection;
  readonly keyring: Keyring;
  readonly ledger: Ledger;
  readonly heartbeat: Heartbeat;
  readonly refusals: RefusalLog;
  readonly gateway: Gateway;
  readonly failpoint: Failpoint;
  /** Ends every running answer: clients get an error event, what was delivered is billed. */
  readonly endAnswers: (why: string) => void;
  readonly close: () => Promise<void>;
};

/** Migrates, then opens; whatever fails here must stop the start. */
export async function openServices(config: Config): Promise<Services> {
  const log = openLog({ level: config.LOG_LEVEL, name: "turnpike" });
  const metrics = openMetrics();
  await migrate({ url: config.DATABASE_MIGRATION_URL ?? config.DATABASE_URL });
  if (config.DATABASE_MIGRATION_URL === undefined) {
    log.warn("one database role for everything: the triggers alone keep the books append-only");
  }
  const database = connectDatabase({ url: config.DATABASE_URL, max: 5 });
  const catalog = await openCatalog(config, database, log);
  metrics.announceModels(catalog.models.keys());
  const failpoint = openFailpoint(config, log);
  let answers = new AbortController();
  const endAnswers = (why: string) => {
    answers.abort(why);
    answers = new AbortController();
  };
  const heartbeat = await keepHeartbeat({
    url: config.DATABASE_URL,
    everyMs: config.HEARTBEAT_MS,
    lapseMs: config.HEARTBEAT_LAPSE_MS,
    onLapse: () => endAnswers("heartbeat lapsed"),
    log,
  });
  const ledger = openLedger({
    url: config.DATABASE_URL,
    instanceId: heartbeat.instanceId,
    holdLifetimeMs: config.HOLD_LIFETIME_MS,
    log,
    metrics,
    failpoint,
    admitting: heartbeat.alive,
  });
  const refusals = openRefusalLog({ url: config.DATABASE_URL, log });
  const keyring = await openKeyring({
    db: database.db,
    directUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    log,
  });
  const gateway: Gateway = {
    catalog: () => catalog,
    ledger,
    refusals,
    limiter: new RateLimiter(),
    metrics,
    log,
    limits: gatewayLimits,
    times: { ...gatewayTimes, settleWaitMs: config.SETTLE_WAIT_MS },
    allowPrivateUpstreams: config.ALLOW_PRIVATE_UPSTREAMS,
    failpoint,
    endSignal: () => answers.signal,
  };
  return {
    config,
    log,
    metrics,
    database,
    keyring,
    ledger,
    heartbeat,
    refusals,
    gateway,
    failpoint,
    endAnswers,
    async close() {
      await ledger.drain();
      await Promise.all([keyring.close(), refusals.close(), heartbeat.stop()]);
      await Promise.all([ledger.close(), database.close()]);
      metrics.close();
    },
  };
}

async function openCatalog(config: Config, database: Connection, log: Log): Promise<Catalog> {
  const read = readCatalog(readFileSync(config.CATALOG_FILE, "utf8"), config.environment, {
    allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS,
  });
  const sandboxUrl = config.SANDBOX_UPSTREAM_URL;
  const file = sandboxUrl === undefined ? read : withSandboxModels(read, sandboxUrl);
  const catalog = await applyCatalog(database.db, file);
  log.info({ models: catalog.models.size, hidden: file.hidden.length }, "catalogue applied");
  return catalog;
}

/** Kills the process, as a power cut would, at the nth passage of the configured instant. */
function openFailpoint(config: Config, log: Log): Failpoint {
  const { failpoint } = config;
  if (failpoint === undefined) return noFailpoint;
  let passages = 0;
  return (name) => {
    if (name !== failpoint.name) return;
    passages += 1;
    if (passages !== failpoint.nth) return;
    log.warn({ failpoint: name }, "failpoint reached");
    process.kill(process.pid, "SIGKILL");
  };
}
