// Reads the file of a batch: either every line becomes a row, or none does and the batch says what is wrong with which line. A step that
// was interrupted is taken again from the beginning.
import { type BatchError, type BatchState, batches, batchLines, type Db } from "@turnpike/db";
import { type Objects, readObject } from "@turnpike/objects";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { ClaimedBatch } from "./batch-queue.ts";
import { type LineRequest, parseLine } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";
import { sealRequest } from "./sealed-lines.ts";
import { endColumns, tellEnd } from "./tell-end.ts";

/** Source: OpenAI's API. */
export const linesMax = 50_000;
/** That of a call. */
const lineMaxBytes = 20 * 1_048_576;
/** How many mistakes are listed. */
const errorsMax = 100;
const sliceLines = 250;
const sliceBytes = 4 * 1_048_576;

export async function validateBatch(
  db: Db,
  kept: Pick<Objects, "sealer" | "blobs">,
  batch: ClaimedBatch,
): Promise<void> {
  const { accountId, id } = batch;
  const isOwn = and(eq(batches.accountId, accountId), eq(batches.id, id));
  // It may have been cancelled meanwhile.
  const isValidating = and(isOwn, inArray(batches.state, ["validating", "cancelling"]));
  const { errors, total } = await insertLines(db, kept, batch);
  if (errors.length === 0) {
    const now = sql`now()`;
    await db
      .update(batches)
      .set({
        state: sql<BatchState>`case when ${batches.state} = 'validating' then 'in_progress' else ${batches.state} end`,
        total,
        startedAt: now,
        dueAt: now,
        attempts: 0,
        error: null,
      })
      .where(isValidating);
    return;
  }
  await db.transaction(async (tx) => {
    await tx
      .delete(batchLines)
      .where(and(eq(batchLines.accountId, accountId), eq(batchLines.batchId, id)));
    const [failedBatch] = await tx
      .update(batches)
      .set({ state: "failed", errors, endedAt: sql`now()` })
      .where(isValidating)
      .returning(endColumns);
    if (failedBatch !== undefined) await tellEnd(tx, accountId, failedBatch);
  });
}

type Inserted = { readonly errors: readonly BatchError[]; readonly total: number };

async function insertLines(
  db: Db,
  kept: Pick<Objects, "sealer" | "blobs">,
  batch: ClaimedBatch,
): Promise<Inserted> {
  const { accountId, projectId, endpoint, inputObjectId } = batch;
  const file = await readObject(db, kept, { accountId, projectId }, "file", inputObjectId);
  if (file === undefined) {
    return failed("invalid_file", "The input file was deleted or has expired.");
  }
  const errors: BatchError[] = [];
  const known = new Set<string>();
  const slice = openSlice(db, kept, batch);
  for await (const { number, text } of readLines(file.chunks, lineMaxBytes)) {
    const line = parseLine(text, endpoint);
    if ("code" in line) errors.push({ ...line, line: number });
    else if (known.has(line.customId)) errors.push({ ...duplicate, line: number });
    else {
      known.add(line.customId);
      // Of a file with mistakes no line runs.
      if (errors.length === 0) await slice.add(number, line);
    }
    if (errors.length >= errorsMax) break;
    if (known.size > linesMax) {
      return failed("too_many_tasks", `A batch has at most ${linesMax} lines.`);
    }
  }
  await slice.write();
  if (errors.length === 0 && known.size === 0) {
    return failed("empty_file", "The input file has no lines.");
  }
  return { errors, total: known.size };
}

const duplicate = {
  code: "duplicate_custom_id",
  message: "Another line before this one has the same 'custom_id'.",
  param: "custom_id",
};

function failed(code: string, message: string): Inserted {
  return { errors: [{ code, message, param: null, line: null }], total: 0 };
}

/** Inserts lines some hundred at a time. */
function openSlice(db: Db, { sealer }: Pick<Objects, "sealer">, batch: ClaimedBatch) {
  const { accountId, id: batchId } = batch;
  let rows: (typeof batchLines.$inferInsert)[] = [];
  let bytes = 0;
  async function write(): Promise<void> {
    if (rows.length === 0) return;
    await db.insert(batchLines).values(rows).onConflictDoNothing();
    rows = [];
    bytes = 0;
  }
  return {
    write,
    async add(line: number, request: LineRequest): Promise<void> {
      const place = { accountId, batchId, line };
      const sealedRequest = sealRequest(sealer, place, request);
      rows.push({ ...place, sealedRequest });
      bytes += sealedRequest.byteLength;
      if (rows.length >= sliceLines || bytes >= sliceBytes) await write();
    },
  };
}
