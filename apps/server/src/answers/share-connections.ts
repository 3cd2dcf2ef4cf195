// Stored answers are read and written on the console's connections, but never on all of them: however many
// calls wait for answers or store them, and however slow the database is, the console keeps one.
import { Fault, withDeadline } from "@turnpike/base";
import type { Sql } from "@turnpike/db";

/** A call that gets no connection in this time is refused, or is answered without what is stored. */
const waitMaxMs = 5_000;

export type AskDatabase = {
  /** Rejects with `overloaded` where no connection becomes free in time. */
  readonly ask: <Result>(query: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** For what must be stored: waits for a connection as long as it takes. */
  readonly write: <Result>(query: (sql: Sql) => Promise<Result>) => Promise<Result>;
};

/** Runs at most `atOnce` queries at a time, the others in the order they came. */
export function shareConnections(sql: Sql, atOnce: number): AskDatabase {
  let running = 0;
  const queue = new Set<() => void>();

  /** Passes the place on, or gives it up. */
  function leave(): void {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    next();
  }

  async function enter(limitMs: number | undefined): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    queue.add(resolve);
    if (limitMs === undefined) return turn;
    await withDeadline(turn, limitMs, () => {
      queue.delete(resolve);
      throw new Fault("overloaded", "Stored answers cannot be read now. Please try again in 2s.", {
        retryAfterMs: 2_000,
      });
    });
  }

  async function run<Result>(query: (sql: Sql) => Promise<Result>, limitMs?: number) {
    await enter(limitMs);
    try {
      return await query(sql);
    } finally {
      leave();
    }
  }

  return { ask: (query) => run(query, waitMaxMs), write: (query) => run(query) };
}
