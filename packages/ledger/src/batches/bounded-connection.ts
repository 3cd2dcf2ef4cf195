// A pool that cannot hang its user: the driver has no query timeout, so a statement that outlives its
// deadline is abandoned together with its connection, and a new one is opened.
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

/** The server cancels a statement first, if it still can. */
const graceMs = 500;

/**
 * A pool of `max` connections with one user each at a time. `run` rejects with StatementDeadline soon
 * after `deadlineMs`, counted from when a connection was free for it.
 */
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
  let free = options.max;
  const waiting: (() => void)[] = [];

  function passTurn(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async run(query) {
      // The driver would queue it behind the running statement while its own deadline already
      // counts.
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
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
        passTurn();
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
