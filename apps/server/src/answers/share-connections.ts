// Stored answers are read and written on the console's connections, but never on all of them: however many
// calls wait for answers or store them, and however slow the database is, the console keeps one. Payers take
// turns, so that a flood of one does not keep the others waiting.
import { Fault, withDeadline } from "@turnpike/base";
import type { Sql } from "@turnpike/db";

/** A call that gets no connection in this time is refused, or is answered without what is stored. */
const waitMaxMs = 5_000;

type Query<Result> = (sql: Sql) => Promise<Result>;

/** `payer` is an id of whom the query is for. */
export type AskDatabase = {
  /** Rejects with `overloaded` where no connection becomes free in time. */
  readonly ask: <Result>(payer: string, query: Query<Result>) => Promise<Result>;
  /** For what must be stored: waits for a connection as long as it takes. */
  readonly write: <Result>(payer: string, query: Query<Result>) => Promise<Result>;
};

/** Runs at most `atOnce` queries at a time, those of one payer in the order they came. */
export function shareConnections(sql: Sql, atOnce: number): AskDatabase {
  let running = 0;
  const queues = new Map<string, Set<() => void>>();

  /** Passes the place on to the payer whose turn it is, or gives it up. */
  function leave(): void {
    for (const [payer, queue] of queues) {
      queues.delete(payer);
      const [next] = queue;
      if (next === undefined) continue;
      queue.delete(next);
      // Behind all others.
      if (queue.size > 0) queues.set(payer, queue);
      next();
      return;
    }
    running -= 1;
  }

  async function enter(payer: string, limitMs: number | undefined): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    const queue = queues.get(payer) ?? new Set();
    queues.set(payer, queue.add(resolve));
    if (limitMs === undefined) return turn;
    await withDeadline(turn, limitMs, () => {
      queue.delete(resolve);
      throw new Fault("overloaded", "Stored answers cannot be read now. Please try again in 2s.", {
        retryAfterMs: 2_000,
      });
    });
  }

  async function run<Result>(payer: string, query: Query<Result>, limitMs?: number) {
    await enter(payer, limitMs);
    try {
      return await query(sql);
    } finally {
      leave();
    }
  }

  return {
    ask: (payer, query) => run(payer, query, waitMaxMs),
    write: (payer, query) => run(payer, query),
  };
}
