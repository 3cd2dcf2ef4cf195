// Batches of the account: how far each of them is, where its results are, and canceling it.
import {
  Fault,
  formatBatchId,
  formatFileId,
  parseBatchId,
  parseMessageBatchId,
} from "@turnpike/base";
import {
  cancelBatch,
  listBatches,
  nameOfBatch,
  queryBatch,
  type StoredBatch,
} from "@turnpike/batches";
import { recordAudit } from "@turnpike/db";
import { z } from "zod";
import { pageLimitInput, pageRowsDefault, parsedInput } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { accountProcedure, router } from "../procedure.ts";
import { requireObjects } from "./files.ts";

/** `batch_…` or `msgbatch_…`. */
const batchIdInput = parsedInput(
  (text) => parseBatchId(text) ?? parseMessageBatchId(text),
  "Not the id of a batch.",
);

const listInput = z.strictObject({
  cursor: batchIdInput.optional(),
  limit: pageLimitInput.optional(),
});

export const batchesRouter = router({
  list: accountProcedure("files.read")
    .input(listInput)
    .query(async ({ ctx, input: { cursor: after, limit = pageRowsDefault } }) => {
      const { objects, scope: owner, report } = ctx;
      if (objects === undefined) return { rows: [], nextCursor: null };
      const page = { limit, after };
      const found = await report((db) => listBatches(db, objects.sealer, { owner }, page));
      const last = found.hasMore ? found.batches.at(-1) : undefined;
      return {
        rows: found.batches.map(presentBatch),
        nextCursor: last ? formatBatchId(last.id) : null,
      };
    }),
  /** One that is over stays as it is. */
  cancel: accountProcedure("files.change")
    .input(z.strictObject({ id: batchIdInput }))
    .mutation(async ({ ctx, input: { id } }) => {
      const kept = requireObjects(ctx);
      const { scope: owner, actor } = ctx;
      const canceled = await ctx.db.transaction(async (tx) => {
        const before = await queryBatch(tx, kept.sealer, { owner }, id);
        const after = await cancelBatch(tx, kept, { owner }, id);
        if (before === undefined || after === undefined) {
          throw new Fault("not_found", "There is no such batch.");
        }
        if (before.state !== after.state) {
          const object = { id, name: nameOfBatch(after) };
          await recordAudit(tx, {
            accountId: owner.accountId,
            by: actor,
            action: "batch.cancel",
            object,
          });
        }
        return after;
      });
      return presentBatch(canceled);
    }),
});

const formatObjectId = (id: StoredBatch["outputObjectId"]) => orNull(id, formatFileId);

function presentBatch(batch: StoredBatch) {
  const { endpoint, state, total, completed, failed, errors, pausedBy } = batch;
  return {
    id: nameOfBatch(batch),
    endpoint,
    state,
    total,
    completed,
    failed,
    /** Why its file was refused. */
    errors: (errors ?? []).map(({ message, line }) => ({ message, line })),
    /** The code of the refusal that keeps its lines waiting. */
    pausedBy,
    createdAt: toIso(batch.createdAt),
    expiresAt: toIso(batch.expiresAt),
    endedAt: orNull(batch.endedAt, toIso),
    /** Ids of files. */
    input: formatFileId(batch.inputObjectId),
    output: formatObjectId(batch.outputObjectId),
    errorFile: formatObjectId(batch.errorObjectId),
  };
}
