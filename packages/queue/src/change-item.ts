// What operators do with an item: try it now, or discard it. Call it in the transaction that records who did so, and why.
import { Fault } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type SQL, sql } from "drizzle-orm";
import { andSet, isItem, named, type Queue, selectRows } from "./queue.ts";

/** It is due now. Resolves with what the list shows of it; throws `not_found`. */
export async function retryItem<Facts>(
  tx: Db,
  queue: Queue<never, Facts>,
  key: readonly string[],
): Promise<Facts> {
  const isDue = sql`${named(queue.dueAt)} = now() ${andSet(queue.changes.retried)}`;
  return changeOpen(tx, queue, key, isDue);
}

/** It is not tried again. Resolves with what the list shows of it; throws `not_found`. */
export async function discardItem<Facts>(
  tx: Db,
  queue: Queue<never, Facts>,
  key: readonly string[],
): Promise<Facts> {
  return changeOpen(tx, queue, key, queue.changes.discarded);
}

async function changeOpen<Facts>(
  tx: Db,
  { table, changes, listed, ...queue }: Queue<never, Facts>,
  key: readonly string[],
  assignments: SQL,
): Promise<Facts> {
  const [changed] = await selectRows<Facts>(
    tx,
    sql`update ${named(table)} t set ${assignments} where ${isItem(queue, key)} and ${changes.open}
        returning ${listed.facts}`,
  );
  if (changed !== undefined) return changed;
  throw new Fault("not_found", changes.absent);
}
