// A connection that cannot hang its user: the driver has no query timeout, so a statement that
// outlives its deadline is left behind together with its connection, and a new one is opened.
import {
  abandonConnection,
  type Connection,
  connectDatabase,
  type Db,
  type Sql,
} from "@turnpike/db";

/** Says nothing about the statement: it may still commit. */
export class StatementDeadline extends Error {
  override readonly name = "StatementDeadline";
}

export type BoundedConnection = {
  readonly run: <Result>(query: (sql: Sql, db: Db) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** The server cancels a statement first, where it still can. */
const graceMs = 500;

/** One pool of `max` connections; `run` rejects with StatementDeadline soon after `deadlineMs`. */
export function openBoundedConnection(options: {
  readonly url: string;
  readonly max: number;
  readonly deadlineMs: number;
  readonly lockTimeoutMs?: number;
  readonly applicationName: string;
}): BoundedConnection {
  const open = (): Connection =>
    connectDatabase({ ...options, statementTimeoutMs: options.deadlineMs });
  let connection = open();
  return {
    async run(query) {
      const used = connection;
      const { promise: late, reject } = Promise.withResolvers<never>();
      const cancel = startDeadline(options.deadlineMs + graceMs, () => {
        reject(new StatementDeadline(`no answer within ${options.deadlineMs} ms`));
        if (connection !== used) return;
        connection = open();
        abandonConnection(used);
      });
      try {
        return await Promise.race([query(used.sql, used.db), late]);
      } finally {
        cancel();
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Calls `onLate` after `limitMs`, unless cancelled. A timer that fires late shows that this process was
 * busy, not that the database is slow: the answer may be waiting to be read, and gets `graceMs` more.
 */
function startDeadline(limitMs: number, onLate: () => void): () => void {
  let dueAtMs = performance.now() + limitMs;
  let timer = setTimeout(expire, limitMs);
  function expire(): void {
    if (performance.now() - dueAtMs < graceMs) {
      onLate();
      return;
    }
    dueAtMs = performance.now() + graceMs;
    timer = setTimeout(expire, graceMs);
  }
  return () => clearTimeout(timer);
}
