// Accepts a batch whose calls are in its request: they become a file of lines, which is read as one that a caller uploaded.
import type { BatchForm } from "@turnpike/db";
import {
  deleteObject,
  type Objects,
  openObjectWriter,
  type RunStatements,
} from "@turnpike/objects";
import { createBatch, type NewBatch } from "./create-batch.ts";
import type { StoredBatch } from "./stored-batch.ts";

/** A call of a batch. */
export type InlineCall = { readonly customId: string; readonly body: object };

export type InlineBatch = Omit<NewBatch, "inputObjectId"> & {
  readonly form: BatchForm;
  readonly calls: readonly InlineCall[];
};

/** Rejects with the Fault to answer with; then nothing of it is kept. */
export async function submitBatch(
  run: RunStatements,
  kept: Objects,
  { calls, ...batch }: InlineBatch,
): Promise<StoredBatch> {
  const { owner, keyId, form, endpoint } = batch;
  const about = { owner, keyId, kind: "file", declaredBytes: 0 } as const;
  const writer = openObjectWriter(kept, run, about);
  try {
    for (const { customId, body } of calls) {
      const line = { custom_id: customId, method: "POST", url: endpoint, body };
      await writer.write(Buffer.from(`${JSON.stringify(line)}\n`));
    }
    const { id: inputObjectId } = await writer.store({
      purpose: "batch",
      mediaType: "application/jsonl",
      filename: `${form}_batch.jsonl`,
      keptSeconds: batch.outputKeptSeconds,
    });
    return await run((db) =>
      createBatch(db, kept, { ...batch, total: calls.length, inputObjectId }),
    ).catch(async (thrown: unknown) => {
      await deleteObject(run, kept.blobs, owner, "file", inputObjectId);
      throw thrown;
    });
  } finally {
    await writer.close();
  }
}
