// Takes the next step of a batch. Steps are taken by any instance, and one that was interrupted is taken again.
import { batches, batchLines, type Db } from "@turnpike/db";
import type { Objects } from "@turnpike/objects";
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { ClaimedBatch } from "./batch-queue.ts";
import { finalizeBatch } from "./finalize-batch.ts";
import { validateBatch } from "./validate-batch.ts";

/** Rejects if the step has to be taken again. */
export async function stepBatch(db: Db, kept: Objects, batch: ClaimedBatch): Promise<void> {
  switch (batch.state) {
    case "validating":
      return validateBatch(db, kept, batch);
    case "in_progress":
      return watchLines(db, batch);
    case "cancelling":
      // Of calls that are in a request each has a result, even if none was run.
      return batch.isRead || batch.form === "openai"
        ? watchLines(db, batch)
        : validateBatch(db, kept, batch);
    case "finalizing":
      return finalizeBatch(db, kept, batch);
    default:
      return;
  }
}

/** How often a batch is looked at whose lines run, in case a process was killed between its last line and the next step. */
const watchSeconds = 60;
/** The same while lines that run are waited for, because no other may start. */
const endSeconds = 2;

/** Goes on once no line waits. Of a batch that was cancelled or has expired, lines that do not run end without a call. */
async function watchLines(db: Db, { accountId, id, state }: ClaimedBatch): Promise<void> {
  const isOwn = and(eq(batches.accountId, accountId), eq(batches.id, id));
  const [batch] = await db
    .select({ isExpired: sql<boolean>`${batches.expiresAt} <= now()` })
    .from(batches)
    .where(isOwn);
  if (batch === undefined) return;
  const areOver = state === "cancelling" || batch.isExpired;
  const ofBatch = and(eq(batchLines.accountId, accountId), eq(batchLines.batchId, id));
  if (areOver) {
    const isIdle = or(isNull(batchLines.claimedUntil), lte(batchLines.claimedUntil, sql`now()`));
    await db
      .update(batchLines)
      .set({ state: state === "cancelling" ? "cancelled" : "expired", claimedUntil: null })
      .where(and(ofBatch, eq(batchLines.state, "waiting"), isIdle));
  }
  const waiting = await db
    .select({ line: batchLines.line })
    .from(batchLines)
    .where(and(ofBatch, eq(batchLines.state, "waiting")))
    .limit(1);
  const seconds = areOver ? endSeconds : watchSeconds;
  const later = sql`least(now() + make_interval(secs => ${seconds}::int),
    greatest(${batches.expiresAt}, now() + make_interval(secs => ${endSeconds}::int)))`;
  const now = sql`now()`;
  // The last one may end while this is decided: then the batch is due at once, and not in a minute.
  const next = sql`case when exists (
    select from batch_lines l
     where l.account_id = ${accountId} and l.batch_id = ${id} and l.state = 'waiting')
    then ${later} else now() end`;
  const goOn = { state: "finalizing", finalizingAt: now, dueAt: now } as const;
  await db
    .update(batches)
    .set({ ...(waiting.length > 0 ? { dueAt: next } : goOn), attempts: 0, error: null })
    // What was cancelled meanwhile is due at once, by that.
    .where(and(isOwn, eq(batches.state, state)));
}
