// Opens PostgreSQL. The only importer of the driver; every connection gets the limits that keep
// one stuck statement, lock or transaction from stalling the process that waits for it.
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { parseDatabaseUrl } from "./parse-database-url.ts";
import * as schema from "./schema/index.ts";

export type Sql = postgres.Sql;
/**
 * Drizzle over postgres.js, or a transaction of it: what every function takes as its first
 * argument.
 */
export type Db = Omit<PostgresJsDatabase<typeof schema>, "$client">;

export type ConnectOptions = {
  readonly url: string;
  /** Connections in the pool; default 10. */
  readonly max?: number;
  readonly applicationName?: string;
  /** Default 5,000. */
  readonly statementTimeoutMs?: number;
  /** Default 2,000. */
  readonly lockTimeoutMs?: number;
  /** How long a transaction may wait for its next statement; default 10,000. */
  readonly idleTransactionTimeoutMs?: number;
  /**
   * A connection on which a statement hears nothing for so long is replaced, and the statement fails.
   * Default: none; without it a half-open connection is noticed by TCP only, after a quarter of an hour.
   */
  readonly answerTimeoutMs?: number;
};

export type PoolUsage = {
  readonly idle: number;
  readonly busy: number;
  /** Statements that wait for a connection, or behind another statement on one. */
  readonly waiting: number;
};

export type Connection = {
  /** Reads dates and times as text, since Drizzle removes their parsers. */
  readonly sql: Sql;
  readonly db: Db;
  /**
   * The same for statements whose text is always the same: each connection keeps them by name, and PostgreSQL may keep
   * their plans. Drizzle itself has every statement parsed and planned again.
   */
  readonly preparedDb: Db;
  /** Its connections at the moment. */
  readonly usage: () => PoolUsage;
  /** Waits at most five seconds for running queries. */
  readonly close: () => Promise<void>;
};

/** `url` marked as that of a transaction pooler: see connectDatabase. */
export function markPooled(url: string): string {
  return isPooled(url) ? url : `${url}${url.includes("?") ? "&" : "?"}prepare=false`;
}

function isPooled(url: string): boolean {
  return /[?&]prepare=false(&|$)/.test(url);
}

/**
 * Opens a pool lazily: nothing is sent before the first query. A URL with `prepare=false` leads to a
 * transaction pooler, which gives every transaction another session: no statement is prepared by
 * name, and the limits, which a pooler refuses at the start of a session, must be those of the role.
 */
export function connectDatabase(options: ConnectOptions): Connection {
  const pooled = isPooled(options.url);
  const limits = {
    statement_timeout: options.statementTimeoutMs ?? 5_000,
    lock_timeout: options.lockTimeoutMs ?? 2_000,
    idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? 10_000,
  };
  const { url, options: hostsAndTls } = parseDatabaseUrl(options.url);
  const sql = postgres(url, {
    ...hostsAndTls,
    max: options.max ?? 10,
    prepare: !pooled,
    idle_timeout: 60,
    max_lifetime: 1_800,
    connect_timeout: 5,
    ...(options.answerTimeoutMs !== undefined && waitForAnswers(options.answerTimeoutMs)),
    // The driver's own pause grows with every connection that was lost, up to 20 s.
    backoff: () => 0.1,
    // One failed lookup of array types would break a connection for all arrays; see array-literal.ts.
    fetch_types: false,
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? "turnpike",
      ...(pooled ? {} : limits),
    },
  });
  return {
    sql,
    db: drizzle(sql, { schema }),
    preparedDb: drizzle(pooled ? sql : withNames(sql), { schema }),
    usage: () => readUsage(sql),
    close: () => sql.end({ timeout: 5 }),
  };
}

/** Drizzle sends every statement by `unsafe`, which the driver does not prepare unless it is told to. */
function withNames(sql: Sql): Sql {
  const unsafe: Sql["unsafe"] = (query, parameters) =>
    sql.unsafe(query, parameters, { prepare: true });
  return new Proxy(sql, {
    get: (target, name, receiver) =>
      name === "unsafe" ? unsafe : Reflect.get(target, name, receiver),
  });
}

/** An option of our patch, which the driver's types do not know. */
function waitForAnswers(answerTimeoutMs: number): object {
  return { answer_timeout: answerTimeoutMs / 1_000 };
}

/** Our patch adds it, which the driver's types do not know. */
function readUsage(sql: Sql): PoolUsage {
  return (sql as Sql & { readonly pool: () => PoolUsage }).pool();
}

/** Abandons a driver that never answers: ends it without waiting for its queries. */
export function abandonConnection(connection: Connection): void {
  connection.sql.end({ timeout: 0 }).catch(() => undefined);
}

/** The five-character SQLSTATE of a server error, or the driver's own code (`CONNECTION_CLOSED`). */
export function errorCodeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? errorCodeOf(error.cause) : undefined;
}

/** Whether a statement was canceled because it had waited too long for a lock, or had not wanted to wait. */
export function isLockTimeout(error: unknown): boolean {
  return errorCodeOf(error) === "55P03";
}

/** Whether PostgreSQL canceled the transaction because of other transactions: a lock timeout, or a deadlock. */
export function isLockConflict(error: unknown): boolean {
  return isLockTimeout(error) || errorCodeOf(error) === "40P01";
}

/** Whether the statement's outcome is unknown because the connection was lost while it ran. */
export function isConnectionError(error: unknown): boolean {
  const code = errorCodeOf(error);
  if (code === undefined) return false;
  return (
    code.startsWith("CONNECTION_") ||
    code.startsWith("CONNECT_") ||
    code.startsWith("08") ||
    code.startsWith("57P") ||
    ["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOTFOUND", "ETIMEDOUT", "25006", "53300"].includes(
      code,
    )
  );
}
