// Records how an attempt ended: done, due again after a pause that grows, or given up. A failure counts only for the worker
// that still has the item: what another one has claimed since, or an operator has discarded, stays as it is.
import { withDeadline } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";
import {
  andSet,
  attemptShare,
  type Claimed,
  inSeconds,
  isItem,
  named,
  type Queue,
} from "./queue.ts";

/** `superseded`: the failure does not count. */
export type Ending = "done" | "retried" | "given_up" | "superseded";

/** Also if it was given up, discarded or claimed meanwhile: it was done. */
export async function finishItem<Item extends Claimed>(
  db: Db,
  queue: Queue<Item>,
  item: Item,
): Promise<void> {
  await db.execute(sql`
    update ${named(queue.table)} set ${queue.done} where ${isItem(queue, queue.keyOf(item))}`);
}

const errorCharsMax = 500;
/** At most this part of a pause is added to it, so that what failed together is not tried together. */
const jitter = 0.1;

export async function failItem<Item extends Claimed>(
  db: Db,
  queue: Queue<Item>,
  item: Item,
  /** `isFinal`: no further attempt can succeed, or none is wanted. */
  { error, isFinal }: { readonly error: string; readonly isFinal: boolean },
): Promise<Exclude<Ending, "done">> {
  const pause = queue.retryAfterSeconds[item.attempts - 1];
  const isOver = pause === undefined || isFinal;
  const seconds = (pause ?? 0) * (1 + Math.random() * jitter);
  const failed = await db.execute(sql`
    update ${named(queue.table)}
       set ${named(queue.dueAt)} = ${inSeconds(seconds)}, ${queue.failed(error.slice(0, errorCharsMax))}
           ${andSet(isOver ? queue.givenUp : undefined)}
     where ${isItem(queue, queue.keyOf(item))} and ${queue.waits} and attempts = ${item.attempts}
    returning attempts`);
  if (failed.length === 0) return "superseded";
  return isOver ? "given_up" : "retried";
}

/**
 * Runs an item and records how that ended; one that does not end in time has failed. Rejects only if the end cannot be
 * recorded; then the item runs again.
 */
export async function attemptItem<Item extends Claimed>(
  db: Db,
  queue: Queue<Item>,
  item: Item,
  run: () => Promise<void>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<{ readonly ending: Ending; readonly error?: unknown }> {
  try {
    await withDeadline(run(), queue.claim.seconds * 1_000 * attemptShare, (limitMs) => {
      throw new Error(`it did not end within ${limitMs} ms`);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failure = { error: reason, isFinal: isFinal(error) };
    return { ending: await failItem(db, queue, item, failure), error };
  }
  await finishItem(db, queue, item);
  return { ending: "done" };
}
