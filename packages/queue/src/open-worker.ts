// Runs what is due, several items at once and each at its own pace: one that takes its time delays no other. An item runs at
// least once: what ended and was not recorded runs again.
import { withDeadline } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";
import {
  andSet,
  attemptShare,
  type Claimed,
  inSeconds,
  named,
  type Queue,
  selectRows,
} from "./queue.ts";

export type Worker = {
  /** Starts what is due, without waiting for its end. Rejects if nothing could be claimed. */
  readonly work: () => Promise<void>;
  /** Resolves when nothing is running and nothing more is due. */
  readonly idle: () => Promise<void>;
  /** Claims nothing more; resolves when how everything claimed has ended is recorded. */
  readonly close: () => Promise<void>;
};

export function openWorker<Item extends Claimed>(
  db: Db,
  queue: Queue<Item>,
  options: {
    readonly atOnce: number;
    readonly log: Log;
    /** Runs an item and records how that ended. */
    readonly perform: (item: Item) => Promise<void>;
  },
): Worker {
  const { atOnce, log, perform } = options;
  const running = new Set<Promise<void>>();
  let claiming: Promise<void> | undefined;
  let closed = false;

  function start(item: Item): void {
    const task = perform(item).catch((err: unknown) => {
      const facts = { err, queue: queue.name, item: queue.keyOf(item).join(" ") };
      log.error(facts, "how an item of a queue ended was not recorded; it runs again");
    });
    running.add(task);
    const next = task.then(() => {
      running.delete(task);
      // What waited for its turn need not wait for the next call too.
      return work();
    });
    next.catch((err: unknown) => {
      log.warn({ err, queue: queue.name }, "items of a queue were not claimed");
    });
  }

  async function claim(): Promise<void> {
    for (const item of await claimItems(db, queue, atOnce - running.size)) start(item);
  }

  function work(): Promise<void> {
    if (closed || running.size >= atOnce) return Promise.resolve();
    claiming ??= claim().finally(() => {
      claiming = undefined;
    });
    return claiming;
  }

  async function settle(): Promise<void> {
    await claiming?.catch(() => undefined);
    await Promise.all(running);
  }

  return {
    work,
    async idle() {
      await work();
      while (running.size > 0) {
        await settle();
        await work();
      }
    },
    async close() {
      closed = true;
      await settle();
    },
  };
}

/**
 * At most `limit` items, each claimed by one worker only. A claim hides an item from other workers for a while, instead of
 * holding a lock while it runs. Rejects if that takes too long to leave an attempt its time.
 */
export async function claimItems<Item extends Claimed>(
  db: Db,
  queue: Queue<Item>,
  limit: number,
): Promise<readonly Item[]> {
  const { seconds, order, among, set, item, beside } = queue.claim;
  const key = sql.join(queue.key.map(named), sql`, `);
  const dueAt = named(queue.dueAt);
  const wanted = among && sql`wanted as materialized (${among(limit)}),`;
  const isWanted = among && sql`and (${key}) in (select ${key} from wanted)`;
  const isLocked = queue.key.map((name) => sql`t.${named(name)} = l.${named(name)}`);
  const claimed = selectRows<Item>(
    db,
    sql`with ${wanted} locked as materialized (
          select ${key} from ${named(queue.table)}
           where ${queue.waits} and ${dueAt} <= now() ${isWanted}
           order by ${order} limit ${limit} for update skip locked)
        update ${named(queue.table)} t
           set attempts = t.attempts + 1, ${dueAt} = ${inSeconds(seconds)} ${andSet(set)}
          from locked l ${beside && sql`, ${beside.tables}`}
         where ${sql.join(isLocked, sql` and `)} ${beside && sql`and ${beside.where}`}
        returning ${item}, t.attempts`,
  );
  const limitMs = Math.round(seconds * 1_000 * (1 - attemptShare));
  return withDeadline(claimed, limitMs, () => {
    throw new Error(`the claim was not answered within ${limitMs} ms`);
  });
}
