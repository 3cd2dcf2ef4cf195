// Cancels a batch: no line of it starts any more. Those that run end and are charged, so their results are kept.
import type { BatchId } from "@turnpike/base";
import { batches, type Db } from "@turnpike/db";
import type { Objects } from "@turnpike/objects";
import { and, eq, inArray, sql } from "drizzle-orm";
import { queryBatch } from "./query-batches.ts";
import { type BatchScope, isInScope, type StoredBatch } from "./stored-batch.ts";

const isRead = sql`${batches.state} = 'validating' and ${batches.attempts} > 0`;

/** What the batch is afterwards: one that is over stays as it is. Undefined if there is no such batch. */
export async function cancelBatch(
  db: Db,
  { sealer }: Pick<Objects, "sealer">,
  scope: BatchScope,
  id: BatchId,
): Promise<StoredBatch | undefined> {
  await stopBatch(db, scope, id);
  return queryBatch(db, sealer, scope, id);
}

/** Undefined if there is no such batch that goes on: it is over, or cancelled already. */
export async function stopBatch(
  db: Db,
  scope: BatchScope,
  id: BatchId,
): Promise<Pick<StoredBatch, "id" | "form" | "state"> | undefined> {
  const [stopped] = await db
    .update(batches)
    .set({
      state: "cancelling",
      cancellingAt: sql`now()`,
      // Who reads its file goes on to the end, and then the batch is due.
      dueAt: sql`case when ${isRead} then ${batches.dueAt} else now() end`,
      attempts: sql`case when ${isRead} then ${batches.attempts} else 0 end`,
    })
    .where(
      and(
        isInScope(scope),
        eq(batches.id, id),
        inArray(batches.state, ["validating", "in_progress"]),
      ),
    )
    .returning({ id: batches.id, form: batches.form, state: batches.state });
  return stopped;
}
