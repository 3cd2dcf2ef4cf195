// Opens everything the server needs, in an order in which each part can rely on the one before, and
// closes it in the reverse order.
import type { ApiServices } from "@turnpike/api";
import type { PasswordCost } from "@turnpike/auth";
import { type Failpoint, type InstanceId, parseId, type Sealer } from "@turnpike/base";
import type { Billing } from "@turnpike/billing";
import { type Connection, checkLedgerKey, checkSchema, mayMigrate, migrate } from "@turnpike/db";
import {
  BackgroundCalls,
  CountBudget,
  type Gateway,
  type GatewayLimits,
  gatewayLimits,
  gatewayTimes,
  LoadShedder,
  persistRouteHealth,
  RateLimiter,
  RetryBudget,
  watchLoad,
} from "@turnpike/gateway";
import { type ApiKeyCache, openApiKeyCache } from "@turnpike/keys";
import { type FreeCallLog, type Heartbeat, type Ledger, openFreeCallLog } from "@turnpike/ledger";
import { openPromptLog, type PromptLog } from "@turnpike/prompts";
import type { Log, Metrics, Tracing } from "@turnpike/telemetry";
import { type AnswerCache, createAnswerCache } from "./answers/answer-cache.ts";
import { createIdempotentCalls, type IdempotentCalls } from "./answers/idempotent-calls.ts";
import { createItemStore, type ItemStore } from "./answers/item-store.ts";
import { type SharedConnections, shareConnections } from "./answers/share-connections.ts";
import { createStoredRoom } from "./answers/stored-room.ts";
import type { Config } from "./config.ts";
import { createServerBilling } from "./create-billing.ts";
import { createEndings, type Endings } from "./create-endings.ts";
import { createFailpoint } from "./create-failpoint.ts";
import { noteInstance } from "./describe-instance.ts";
import { createFairQueue } from "./fair-queue.ts";
import { createPromptKeys, type PromptKeys } from "./http/calls/warn-of-prompt-keys.ts";
import { describeUnproven, ledgerKeysOf, ledgerProverOf } from "./ledger-keys-of.ts";
import { limitFreeCalls } from "./limit-free-calls.ts";
import { type OpenApi, openApi } from "./open-api.ts";
import { type LiveCatalog, openCatalog, readCatalogFile } from "./open-catalog.ts";
import { countConnections, openPools, type Pools } from "./open-pools.ts";
import { openServerLedger, type ServerLedger } from "./open-server-ledger.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { openUploads, type Uploads } from "./open-uploads.ts";
import { type LiveRuns, openLiveRuns } from "./runs/live-runs.ts";
import { sealerOf } from "./sealer-of.ts";
import { openStatus, type PublicStatus } from "./status/open-status.ts";

type Parts = Omit<Pools, "close"> & Uploads & Endings;

export type Services = Parts & {
  readonly config: Config;
  readonly log: Log;
  /** Undefined without SEALING_KEY. */
  readonly sealer: Sealer | undefined;
  readonly metrics: Metrics;
  /** Undefined unless it is configured. */
  readonly tracing: Tracing | undefined;
  readonly catalog: LiveCatalog;
  readonly apiKeyCache: ApiKeyCache;
  readonly ledger: Ledger;
  readonly heartbeat: Heartbeat;
  readonly freeCalls: FreeCallLog;
  readonly gateway: Gateway;
  /** Answers of calls under an `Idempotency-Key`. */
  readonly idempotentCalls: IdempotentCalls;
  /** Answers that callers asked to be kept. */
  readonly answerCache: AnswerCache;
  /** Items of answers that later calls may refer to. */
  readonly itemStore: ItemStore;
  readonly billing: Billing;
  /** Prompts and answers of projects that store them. */
  readonly promptLog: PromptLog;
  /** What `/status` shows. */
  readonly status: PublicStatus;
  readonly liveRuns: LiveRuns;
  /** Finds keys that are sent in prompts. */
  readonly promptKeys: PromptKeys;
  /** What the console's procedures use. */
  readonly api: ApiServices;
  readonly replicaReads: OpenApi["replicaReads"];
  readonly failpoint: Failpoint;
  /**
   * Makes every charge durable and returns all leases. Waits as long as the database is unreachable; a caller
   * that cannot wait must bound it.
   */
  readonly settle: () => Promise<void>;
  /** Settles first. */
  readonly close: () => Promise<void>;
};

export type ServiceOptions = {
  /** The number of this process among those that share its port; logs and metrics carry it. */
  readonly worker?: number | undefined;
  /** What hashing a password takes; lower in tests. */
  readonly passwordCost?: PasswordCost | undefined;
};

/** Migrates, or checks that this was done, then opens; whatever fails here must stop the start. */
export async function openServices(config: Config, given: ServiceOptions): Promise<Services> {
  const read = readCatalogFile(config);
  const { log, secrets, metrics, tracing, ...telemetry } = await openTelemetry(config, given);
  const { close: closePools, ...pools } = openPools(config);
  const { database, consoleDatabase, listener, readUsage } = pools;
  metrics.watchPools(readUsage);
  await prepareDatabase(config, log);
  const opened = { config, db: database.db, listener, log, secrets, metrics };
  const catalog = await openCatalog({ ...opened, ...read });
  const routes = await persistRouteHealth({ db: database.db, log, metrics });
  const routeHealth = routes.book;
  const status = await openStatus({ ...opened, db: pools.jobsDatabase.db, catalog, routeHealth });
  const failpoint = createFailpoint(config, log);
  const { endSignal, ...endings } = createEndings();
  const { load, stopWatchingLoad } = openLoadShedder(log);
  const money = await openServerLedger(config, { ...opened, load, failpoint });
  money.onLapse(() => endings.endAnswers("heartbeat lapsed"));
  const { ledger, heartbeat } = money;
  await noteInstance({ ...opened, heartbeat, sql: database.sql }, given.worker);
  const freeCalls = openFreeCallLog({ db: database.db, log });
  const apiKeyCache = await openApiKeyCache({ ...opened, ...keysOf(database, ledger) });
  const gateway: Gateway = {
    catalog,
    ledger,
    freeCalls: limitFreeCalls({ heartbeat, freeCalls, metrics }),
    ...createCallBounds(config, opened, money),
    routeHealth,
    status: status.tally,
    load,
    metrics,
    log,
    ...settingsOf(config),
    failpoint,
    endSignal,
  };
  // One connection of the console is used neither for reports nor for stored answers.
  const fairQueue = createFairQueue(Math.max(1, config.DATABASE_POOL_CONSOLE - 1));
  const stored = shareConnections(consoleDatabase.sql, fairQueue);
  const answers = createStoredAnswers(config, gateway, stored, heartbeat.instanceId);
  const uploads = openUploads(config, { ...answers, db: consoleDatabase.db, log });
  const billing = createServerBilling(config, { db: pools.jobsDatabase.db, log, metrics });
  const parts = { fairQueue, catalog, figures: status.figures, billing, log, metrics, ...given };
  const stores = { ...answers, ...uploads, liveRuns: openLiveRuns(listener, log) };
  const apiParts = { ...parts, ...stores };
  const { closeReplica, ...consoleApi } = openApi(config, consoleDatabase, apiParts);
  return {
    config,
    log,
    metrics,
    tracing,
    ...pools,
    catalog,
    apiKeyCache,
    ledger,
    heartbeat,
    freeCalls,
    gateway,
    ...stores,
    billing,
    ...consoleApi,
    status,
    promptKeys: createPromptKeys({ config, log, api: consoleApi.api }),
    failpoint,
    ...endings,
    settle: () => settleMoney(stores, ledger),
    async close() {
      await settleMoney(stores, ledger);
      const rest = [catalog, freeCalls, answers.promptLog, money, routes, status, gateway.limiter];
      await Promise.all([apiKeyCache, uploads.audioMeter, ...rest].map((one) => one.close()));
      await Promise.all([closePools(), closeReplica()]);
      stopWatchingLoad();
      await telemetry.close();
    },
  };
}

function keysOf({ preparedDb }: Connection, ledger: Ledger) {
  const recall = (id?: string) => void ledger.recall(id === undefined ? undefined : parseId(id));
  return { db: preparedDb, onChange: recall };
}

async function settleMoney(
  { idempotentCalls, liveRuns }: Pick<Services, "idempotentCalls" | "liveRuns">,
  ledger: Ledger,
): Promise<void> {
  await Promise.all([idempotentCalls.settled(), liveRuns.settled()]);
  await ledger.drain();
}

function settingsOf(config: Config): Pick<Gateway, "limits" | "times" | "allowPrivateUpstreams"> {
  return {
    limits: limitsOf(config),
    times: { ...gatewayTimes, settleWaitMs: config.SETTLE_WAIT_MS },
    allowPrivateUpstreams: config.ALLOW_PRIVATE_UPSTREAMS,
  };
}

const proxyNames = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

/** A proxy connects to upstreams for us, so whether we could ourselves is irrelevant. */
function limitsOf({ environment }: Config): GatewayLimits {
  const isSet = (name: string) =>
    (environment[name] ?? environment[name.toLowerCase()] ?? "") !== "";
  if (!proxyNames.some(isSet)) return gatewayLimits;
  const connectMs = Number.POSITIVE_INFINITY;
  const { stream, whole, large } = gatewayLimits;
  return {
    stream: { ...stream, connectMs },
    whole: { ...whole, connectMs },
    large: { ...large, connectMs },
  };
}

/** What is stored of answers, and what seals it. */
function createStoredAnswers(
  config: Config,
  { log, metrics, background, endSignal }: Gateway,
  database: SharedConnections,
  instanceId: InstanceId,
): Pick<Services, "idempotentCalls" | "answerCache" | "itemStore" | "promptLog" | "sealer"> {
  const sealer = sealerOf(config);
  const kept = { database, instanceId, log, room: createStoredRoom({ database, log }) };
  const { silentMs } = config.times;
  return {
    idempotentCalls: createIdempotentCalls({ ...kept, silentMs, background, endSignal }),
    answerCache: createAnswerCache(kept),
    itemStore: createItemStore({ ...kept, metrics }),
    promptLog: openPromptLog({ sealer, runQuery: database.runQuery, log, metrics }),
    sealer,
  };
}

async function prepareDatabase(config: Config, log: Log): Promise<void> {
  log.info({ connections: countConnections(config) }, "PostgreSQL connections at most");
  await prepareSchema(config, log);
  const isProven = await checkLedgerKey(config.DATABASE_URL, ledgerProverOf(config));
  if (isProven || config.NODE_ENV !== "production" || config.stripe === undefined) return;
  log.warn(describeUnproven);
}

async function prepareSchema(config: Config, log: Log): Promise<void> {
  const { DATABASE_URL, DATABASE_MIGRATION_URL } = config;
  if (DATABASE_MIGRATION_URL === undefined && !(await mayMigrate(DATABASE_URL))) {
    return checkSchema(DATABASE_URL);
  }
  await migrate({
    url: DATABASE_MIGRATION_URL ?? DATABASE_URL,
    passLiveInstances: config.MIGRATE_PAST_LIVE_INSTANCES,
    sandbox: config.SANDBOX,
    ledgerKeys: ledgerKeysOf(config),
  });
  if (DATABASE_MIGRATION_URL !== undefined) return;
  log.warn("one database role for everything: the triggers alone keep the books append-only");
}

function openLoadShedder(log: Log) {
  const load = new LoadShedder();
  return { load, stopWatchingLoad: watchLoad(load, log) };
}

/** How many calls may run, with their clients and without, and how many attempts they may add. */
function createCallBounds(
  config: Config,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
  { heartbeat, rateBuckets: buckets, onLapse }: ServerLedger,
): Pick<Gateway, "limiter" | "countBudget" | "background" | "retryBudget"> {
  const { CALLS_PER_ACCOUNT_MAX: perAccount, CALLS_PER_KEY_MAX: perKey } = config;
  const bounds = {
    bodyMebibytes: config.BODY_MEMORY_MIB,
    ...(perAccount !== undefined && { perAccount }),
    ...(perKey !== undefined && { perKey }),
  };
  const limiter = new RateLimiter(bounds, {
    share: heartbeat.share,
    database: { buckets, waitMs: config.times.countRateMs, log },
  });
  onLapse(() => limiter.forfeit());
  return {
    limiter,
    countBudget: new CountBudget(),
    retryBudget: new RetryBudget(),
    background: new BackgroundCalls(metrics, {
      perAccount: config.BACKGROUND_PER_ACCOUNT_MAX,
      perProcess: config.BACKGROUND_CALLS_MAX,
    }),
  };
}
