// Deletes a batch that is over, and the files that were written for it. A file that its caller uploaded stays.
import type { BatchId } from "@turnpike/base";
import { batches } from "@turnpike/db";
import { deleteObject, type Objects, type RunStatements } from "@turnpike/objects";
import { and, eq, isNotNull } from "drizzle-orm";
import { type BatchScope, isInScope } from "./stored-batch.ts";

/** `absent`: there is no such batch. */
export async function deleteBatch(
  run: RunStatements,
  { blobs }: Pick<Objects, "blobs">,
  scope: BatchScope,
  id: BatchId,
): Promise<"deleted" | "running" | "absent"> {
  const isIt = and(isInScope(scope), eq(batches.id, id));
  const [deleted] = await run((db) =>
    db
      .delete(batches)
      .where(and(eq(batches.accountId, scope.owner.accountId), isIt, isNotNull(batches.endedAt)))
      .returning({
        form: batches.form,
        input: batches.inputObjectId,
        output: batches.outputObjectId,
        error: batches.errorObjectId,
      }),
  );
  if (deleted === undefined) {
    const [running] = await run((db) => db.select({ id: batches.id }).from(batches).where(isIt));
    return running === undefined ? "absent" : "running";
  }
  const { form, input, output, error } = deleted;
  // Those of a process that is killed here expire.
  for (const file of form === "openai" ? [] : [input, output, error]) {
    if (file !== null) await deleteObject(run, blobs, scope.owner, "file", file);
  }
  return "deleted";
}
