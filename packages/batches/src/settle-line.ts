// Records how an attempt of a line ended: with an answer, which is final, or so that the line has to wait. A line ends once.
import { batches, batchLines, type Db } from "@turnpike/db";
import type { Objects } from "@turnpike/objects";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { isClaimed } from "./begin-line.ts";
import type { ClaimedLine } from "./line-queue.ts";
import { type LineResult, sealResult } from "./sealed-lines.ts";

export type LineEnding =
  | { readonly kind: "answered"; readonly isGood: boolean; readonly result: LineResult }
  | {
      readonly kind: "waits";
      readonly seconds: number;
      /** The whole batch waits as long: the code of the refusal that every line would get. */
      readonly pausedBy?: string;
      /** Whether the attempt counts against the line. */
      readonly isFailure: boolean;
      /** The attempt was charged, or may have been: the next one is the same call. */
      readonly isCharged: boolean;
    };

export async function settleLine(
  db: Db,
  { sealer }: Pick<Objects, "sealer">,
  line: ClaimedLine,
  ending: LineEnding,
): Promise<void> {
  if (ending.kind === "waits") return putBack(db, line, ending);
  if (line.isProbe) {
    await db.update(batches).set({ pausedUntil: null, pausedBy: null }).where(isBatchOf(line));
  }
  await db
    .update(batchLines)
    .set({
      state: ending.isGood ? "completed" : "failed",
      sealedResult: sealResult(sealer, line, ending.result),
      claimedUntil: null,
    })
    .where(isClaimed(line));
  // A statement of its own: of two lines that end at the same time, the later one sees that none waits any more.
  await stepIfLast(db, line);
}

async function putBack(
  db: Db,
  line: ClaimedLine,
  { seconds, pausedBy, isFailure, isCharged }: LineEnding & { readonly kind: "waits" },
): Promise<void> {
  const later = sql`now() + make_interval(secs => ${seconds}::float8)`;
  const isPaused = pausedBy !== undefined;
  if (isPaused) {
    await db
      .update(batches)
      .set({ pausedUntil: later, pausedBy })
      .where(and(isBatchOf(line), isNull(batches.endedAt)));
  }
  await db
    .update(batchLines)
    .set({
      // A batch that is resumed begins with the line that paused it.
      dueAt: isPaused ? sql`now()` : later,
      claimedUntil: null,
      ...(!isFailure && { failures: sql`${batchLines.failures} - 1` }),
      ...(!isCharged && { generationId: null }),
    })
    .where(isClaimed(line));
}

/** The batch whose last line has ended is due at once. */
async function stepIfLast(db: Db, line: ClaimedLine): Promise<void> {
  await db
    .update(batches)
    .set({ dueAt: sql`now()`, attempts: 0 })
    .where(
      and(
        isBatchOf(line),
        inArray(batches.state, ["in_progress", "cancelling"]),
        sql`not exists (
          select from batch_lines l
           where l.account_id = ${line.accountId} and l.batch_id = ${line.batchId} and l.state = 'waiting')`,
      ),
    );
}

function isBatchOf({ accountId, batchId }: ClaimedLine) {
  return and(eq(batches.accountId, accountId), eq(batches.id, batchId));
}
