// Writes the results of a batch into two files, of answers and of errors, in the order of the lines, and ends it. The ids of the files are
// in the batch before the files exist, so a step that was interrupted finds what it had stored and writes no file twice.
import { formatBatchId, newId, type ObjectId } from "@turnpike/base";
import { type BatchState, batches, batchLines, type Db, type LineState } from "@turnpike/db";
import { type Objects, openObjectWriter, queryObject } from "@turnpike/objects";
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { ClaimedBatch } from "./batch-queue.ts";
import { sumCalls } from "./sum-calls.ts";
import { endColumns, tellEnd } from "./tell-end.ts";
import { type EndedLine, writeLine } from "./write-line.ts";

const files = {
  output: { column: "outputObjectId", states: ["completed"] },
  error: { column: "errorObjectId", states: ["failed", "expired", "cancelled"] },
} as const;

/** Rejects where the account has no room for the files, as where anything else fails. */
export async function finalizeBatch(db: Db, kept: Objects, batch: ClaimedBatch): Promise<void> {
  const { accountId, id } = batch;
  const isOwn = and(
    eq(batches.accountId, accountId),
    eq(batches.id, id),
    eq(batches.state, "finalizing"),
  );
  const ofBatch = and(eq(batchLines.accountId, accountId), eq(batchLines.batchId, id));
  const outputObjectId = await writeFile(db, kept, batch, "output");
  const errorObjectId = await writeFile(db, kept, batch, "error");
  const spent = await sumCalls(db, batch);
  await db.transaction(async (tx) => {
    const [counts] = await tx
      .select({
        completed: countOf(["completed"]),
        failed: countOf(["failed", "expired"]),
        expired: countOf(["expired"]),
      })
      .from(batchLines)
      .where(ofBatch);
    const [ended] = await tx
      .update(batches)
      .set({
        outputObjectId,
        errorObjectId,
        completed: counts?.completed ?? 0,
        failed: counts?.failed ?? 0,
        expired: counts?.expired ?? 0,
        ...spent,
        endedAt: sql`now()`,
        error: null,
        state: sql<BatchState>`case when ${batches.cancellingAt} is not null then 'cancelled'
          when ${counts?.expired ?? 0}::int > 0 then 'expired' else 'completed' end`,
      })
      .where(isOwn)
      .returning(endColumns);
    if (ended === undefined) return;
    await tellEnd(tx, accountId, ended);
    await tx
      .delete(batchLines)
      .where(and(eq(batchLines.accountId, accountId), eq(batchLines.batchId, id)));
  });
}

function countOf(states: readonly LineState[]) {
  const isOne = inArray(batchLines.state, [...states]);
  return sql<number>`(count(*) filter (where ${isOne}))::int`;
}

/** The id of the file, which is stored; null if no line belongs into it. */
async function writeFile(
  db: Db,
  kept: Objects,
  batch: ClaimedBatch,
  name: keyof typeof files,
): Promise<ObjectId | null> {
  const { accountId, projectId, keyId, id } = batch;
  const owner = { accountId, projectId };
  const { column, states } = files[name];
  const isOwn = and(eq(batches.accountId, accountId), eq(batches.id, id));
  const [row] = await db.select({ known: batches[column] }).from(batches).where(isOwn);
  const known = row?.known ?? null;
  if (known !== null && (await queryObject(db, kept.sealer, owner, "file", known)) !== undefined) {
    return known;
  }
  // Another one: what was being written under the one before is deleted with its row, in an hour.
  const chosen = newId<ObjectId>();
  await db
    .update(batches)
    .set({ [column]: chosen })
    .where(isOwn);
  const writer = openObjectWriter(kept, (run) => run(db), {
    id: chosen,
    owner,
    keyId,
    kind: "file",
    declaredBytes: 0,
  });
  try {
    for await (const line of endedLines(db, batch, states)) {
      await writer.write(Buffer.from(writeLine(kept.sealer, batch, line)));
    }
    if (writer.size === 0) return null;
    await writer.store({
      purpose: "batch_output",
      mediaType: "application/jsonl",
      filename: `${formatBatchId(id)}_${name}.jsonl`,
      keptSeconds: batch.outputKeptSeconds,
    });
    return chosen;
  } finally {
    await writer.close();
  }
}

/** Answers may be large. */
const pageLines = 50;

async function* endedLines(
  db: Db,
  { accountId, id }: ClaimedBatch,
  states: readonly LineState[],
): AsyncGenerator<EndedLine> {
  let after = 0;
  for (;;) {
    const page = await db
      .select({
        line: batchLines.line,
        state: batchLines.state,
        generationId: batchLines.generationId,
        sealedRequest: batchLines.sealedRequest,
        sealedResult: batchLines.sealedResult,
      })
      .from(batchLines)
      .where(
        and(
          eq(batchLines.accountId, accountId),
          eq(batchLines.batchId, id),
          gt(batchLines.line, after),
          inArray(batchLines.state, [...states]),
        ),
      )
      .orderBy(asc(batchLines.line))
      .limit(pageLines);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageLines) return;
    after = last.line;
  }
}
