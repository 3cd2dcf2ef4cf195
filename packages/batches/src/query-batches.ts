// The batches of a project or an account, of one form or of several. An id of another one is answered as one that never existed.
import type { BatchId, Sealer } from "@turnpike/base";
import { batches, type Db } from "@turnpike/db";
import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import {
  type BatchScope,
  batchColumns,
  isInScope,
  type StoredBatch,
  toStoredBatch,
} from "./stored-batch.ts";

/** Undefined if there is no such batch, or no longer. Throws SealBroken. */
export async function queryBatch(
  db: Db,
  sealer: Sealer,
  scope: BatchScope,
  id: BatchId,
): Promise<StoredBatch | undefined> {
  const [row] = await db
    .select(batchColumns)
    .from(batches)
    .where(and(isInScope(scope), eq(batches.id, id)));
  return row && toStoredBatch(sealer, scope.owner.accountId, row);
}

export type BatchPage = {
  readonly limit: number;
  /** The last one of the page before: older ones follow. */
  readonly after?: BatchId | undefined;
  /** The first one of the page after: newer ones precede it. */
  readonly before?: BatchId | undefined;
};

/** The newest first. Throws SealBroken. */
export async function listBatches(
  db: Db,
  sealer: Sealer,
  scope: BatchScope,
  { limit, after, before }: BatchPage,
): Promise<{ readonly batches: readonly StoredBatch[]; readonly hasMore: boolean }> {
  const isBackward = before !== undefined;
  const rows = await db
    .select(batchColumns)
    .from(batches)
    .where(
      and(
        isInScope(scope),
        after === undefined ? undefined : lt(batches.id, after),
        before === undefined ? undefined : gt(batches.id, before),
      ),
    )
    .orderBy(isBackward ? asc(batches.id) : desc(batches.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  if (isBackward) shown.reverse();
  const { accountId } = scope.owner;
  return {
    batches: shown.map((row) => toStoredBatch(sealer, accountId, row)),
    hasMore: rows.length > limit,
  };
}
