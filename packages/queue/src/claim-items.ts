// Claims items that are due. A claim hides an item from other workers for a while, instead of holding a lock or a
// connection while it runs; if its worker dies, it is due again when the claim ends.
import { withDeadline } from "@turnpike/base";
import type { Db } from "@turnpike/db";
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

/** At most `limit` items, each claimed by one worker only. Rejects if that takes too long to leave an attempt its time. */
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
