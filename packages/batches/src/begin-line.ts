// Decides under which id a line is called, before it is called. A call is charged once under its id, so an attempt of which nobody
// knows how it ended (its process was killed) is repeated under the same one: whichever is written first is the charge.
import { type GenerationId, newId } from "@turnpike/base";
import { batchLines, type Db, requests } from "@turnpike/db";
import { and, eq, type SQL } from "drizzle-orm";
import type { ClaimedLine } from "./line-queue.ts";

/** Undefined if somebody else has the line now. */
export async function beginLine(db: Db, line: ClaimedLine): Promise<GenerationId | undefined> {
  const { generationId } = line;
  if (generationId !== null && !(await costNothing(db, line, generationId))) return generationId;
  const chosen = newId<GenerationId>();
  const begun = await db
    .update(batchLines)
    .set({ generationId: chosen })
    .where(isClaimed(line))
    .returning({ line: batchLines.line });
  return begun.length === 0 ? undefined : chosen;
}

/**
 * Whether its call was recorded as one that was refused or failed without a charge. Under its id nothing would be charged any more,
 * so the next attempt needs another.
 */
async function costNothing(db: Db, { accountId }: ClaimedLine, id: GenerationId): Promise<boolean> {
  const [recorded] = await db
    .select({ costNanos: requests.costNanos, outcome: requests.outcome })
    .from(requests)
    .where(and(eq(requests.accountId, accountId), eq(requests.id, id)));
  return recorded !== undefined && recorded.costNanos === 0n && recorded.outcome !== "completed";
}

/** By this claim: what another worker has claimed since, or what has ended, stays as it is. */
export function isClaimed({ accountId, batchId, line, attempts }: ClaimedLine): SQL | undefined {
  return and(
    eq(batchLines.accountId, accountId),
    eq(batchLines.batchId, batchId),
    eq(batchLines.line, line),
    eq(batchLines.state, "waiting"),
    eq(batchLines.attempts, attempts),
  );
}
