// The connections of one process to PostgreSQL: which pools exist and how large they are. Money never waits
// behind a reader: admitting, charging and the heartbeat have connections that nothing else uses.
import { type Connection, connectDatabase, type Listener, openListener } from "@turnpike/db";
import type { PoolFigures } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

/** Pools whose size can be configured, by the application name that PostgreSQL shows for them. */
const sizedPools = {
  turnpike: "DATABASE_POOL_KEYS",
  "turnpike console": "DATABASE_POOL_CONSOLE",
  "turnpike billing": "DATABASE_POOL_BILLING",
  "turnpike jobs": "DATABASE_POOL_JOBS",
  "turnpike acquire side": "DATABASE_POOL_LOCKED_ACCOUNTS",
} as const;

/** Group commit needs one connection each, and more would not make it faster. */
const singleConnections = [
  "turnpike acquire",
  "turnpike rates",
  "turnpike charge",
  "turnpike release",
  "turnpike heartbeat",
  "turnpike listen",
] as const;

type PoolSettings = Pick<Config, (typeof sizedPools)[keyof typeof sizedPools]>;

/** The most connections each pool of a process opens, by application name. */
export function readPoolSizes(config: PoolSettings): ReadonlyMap<string, number> {
  const sized = Object.entries(sizedPools).map(
    ([name, setting]) => [name, config[setting]] as const,
  );
  return new Map([...sized, ...singleConnections.map((name) => [name, 1] as const)]);
}

/** The most connections of one process, for planning PostgreSQL's `max_connections`. */
export function countConnections(config: PoolSettings): number {
  return [...readPoolSizes(config).values()].reduce((sum, size) => sum + size, 0);
}

export type Pools = {
  /** Reads API keys and prices, and notifies other instances. */
  readonly database: Connection;
  /** The console's procedures, logins, and what callers read about their account under `/v1`. */
  readonly consoleDatabase: Connection;
  /** Stores what Stripe sends: a flood of events takes no connection from anything else. */
  readonly billingDatabase: Connection;
  readonly jobsDatabase: Connection;
  /** Notifications, which bypass any transaction pooler. */
  readonly listener: Listener;
  /** How the pools are used at the moment. */
  readonly readUsage: () => readonly PoolFigures[];
  readonly close: () => Promise<void>;
};

/** Every call with a key that is not in memory waits for this pool. */
const keyAnswerMs = 2_500;
/** Longer than PostgreSQL lets a statement run. */
const answerMs = 6_000;

/** Opens no connection before one is needed. */
export function openPools(config: Config): Pools {
  const open = (applicationName: keyof typeof sizedPools, answerTimeoutMs = answerMs) =>
    connectDatabase({
      url: config.DATABASE_URL,
      max: config[sizedPools[applicationName]],
      applicationName,
      answerTimeoutMs,
    });
  const database = open("turnpike", keyAnswerMs);
  const consoleDatabase = open("turnpike console");
  const billingDatabase = open("turnpike billing");
  const jobsDatabase = open("turnpike jobs");
  const listener = openListener({ url: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL });
  const sized = {
    turnpike: database,
    "turnpike console": consoleDatabase,
    "turnpike billing": billingDatabase,
    "turnpike jobs": jobsDatabase,
  } satisfies Partial<Record<keyof typeof sizedPools, Connection>>;
  const parts = [database, consoleDatabase, billingDatabase, jobsDatabase, listener];
  return {
    database,
    consoleDatabase,
    billingDatabase,
    jobsDatabase,
    listener,
    readUsage() {
      const sizes = readPoolSizes(config);
      return Object.entries(sized).map(([pool, { usage }]) => {
        return { pool, max: sizes.get(pool) ?? 0, ...usage() };
      });
    },
    async close() {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}
