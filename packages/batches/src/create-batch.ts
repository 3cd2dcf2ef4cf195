// Accepts a batch: its file is read later, by any instance. The row is the promise that this happens.
import { type ApiKeyId, type BatchId, Fault, newId, type ObjectId } from "@turnpike/base";
import { type BatchForm, batches, type Db, lockOpenAccount } from "@turnpike/db";
import { type ObjectOwner, type Objects, queryObject } from "@turnpike/objects";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import {
  type BatchMetadata,
  batchColumns,
  placeOfMetadata,
  type StoredBatch,
  toStoredBatch,
} from "./stored-batch.ts";

/** Of an account, which are not over. */
export const openBatchesMax = 100;
/** OpenAI's only completion window. */
export const windowHours = 24;

export type NewBatch = {
  readonly owner: ObjectOwner;
  readonly keyId: ApiKeyId;
  readonly endpoint: string;
  readonly inputObjectId: ObjectId;
  readonly metadata: BatchMetadata | null;
  readonly outputKeptSeconds: number;
  /** Default: OpenAI's. */
  readonly form?: BatchForm;
  readonly model?: string;
  /** How many lines its file has, where that is known before it is read. */
  readonly total?: number;
};

/** Rejects with the Fault to answer with. */
export async function createBatch(
  db: Db,
  { sealer, bytesMax }: Pick<Objects, "sealer" | "bytesMax">,
  { metadata, owner, ...batch }: NewBatch,
): Promise<StoredBatch> {
  const { accountId } = owner;
  const id = newId<BatchId>();
  const sealedMetadata =
    metadata === null
      ? null
      : sealer.seal(placeOfMetadata(accountId, id), JSON.stringify(metadata));
  return db.transaction(async (tx) => {
    const isOpen = await lockOpenAccount(tx, accountId);
    const file = await queryObject(tx, sealer, owner, "file", batch.inputObjectId);
    if (!isOpen || file === undefined) throw noInputFile();
    if (file.purpose !== "batch") throw wrongPurpose(file.purpose);
    const [{ open = 0, bytes = 0 } = {}] = await tx
      .select({
        open: count(batches.id),
        bytes: sql<number>`coalesce(sum(${batches.inputBytes}), 0)::float8`,
      })
      .from(batches)
      .where(and(eq(batches.accountId, accountId), isNull(batches.endedAt)));
    if (open >= openBatchesMax || bytes + file.size > bytesMax) throw tooManyBatches(bytesMax);
    const [row] = await tx
      .insert(batches)
      .values({
        ...batch,
        ...owner,
        id,
        inputBytes: file.size,
        sealedMetadata,
        expiresAt: sql`now() + make_interval(hours => ${windowHours}::int)`,
      })
      .returning(batchColumns);
    if (row === undefined) throw new Error("a batch was inserted and not returned");
    return toStoredBatch(sealer, accountId, row);
  });
}

export function noInputFile(): Fault {
  const sentence =
    "No file of the project of this key has this id. Upload the lines with POST /v1/files and the purpose 'batch' first.";
  return new Fault("invalid_value", sentence, { param: "input_file_id" });
}

function wrongPurpose(purpose: string): Fault {
  const sentence = `Invalid 'input_file_id': the purpose of the file is '${purpose}'. Upload it with the purpose 'batch'.`;
  return new Fault("invalid_value", sentence, { param: "input_file_id" });
}

function tooManyBatches(bytesMax: number): Fault {
  const sentence = `An account has at most ${openBatchesMax} batches that are not over, of ${bytesMax / 1_048_576} MiB together. Wait for one, or cancel one.`;
  return new Fault("rate_limit_exceeded", sentence, { retryAfterMs: 60_000 });
}
