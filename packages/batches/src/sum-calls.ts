// What the calls of a batch used and cost together, as each of them was charged.
import { type BatchUsage, batchLines, type Db, requests } from "@turnpike/db";
import { type Nanos, parseNanos } from "@turnpike/terms";
import { and, eq, isNotNull, type SQLWrapper, sql } from "drizzle-orm";
import type { ClaimedBatch } from "./batch-queue.ts";

export async function sumCalls(
  db: Db,
  { accountId, id }: Pick<ClaimedBatch, "accountId" | "id">,
): Promise<{ readonly usage: BatchUsage; readonly costNanos: Nanos }> {
  const calls = db
    .select({ id: batchLines.generationId })
    .from(batchLines)
    .where(
      and(
        eq(batchLines.accountId, accountId),
        eq(batchLines.batchId, id),
        isNotNull(batchLines.generationId),
      ),
    );
  const sumOf = (column: SQLWrapper) => sql<number>`coalesce(sum(${column}), 0)::float8`;
  const [sums] = await db
    .select({
      promptTokens: sumOf(requests.promptTokens),
      cachedTokens: sumOf(requests.cachedTokens),
      completionTokens: sumOf(requests.completionTokens),
      reasoningTokens: sumOf(requests.reasoningTokens),
      costNanos: sql<string>`coalesce(sum(${requests.chargedNanos}), 0)::text`,
    })
    .from(requests)
    // An array, so that each call is looked up by its key.
    .where(and(eq(requests.accountId, accountId), sql`${requests.id} = any(array(${calls}))`));
  if (sums === undefined) throw new Error("a sum returned no row");
  const { costNanos, ...usage } = sums;
  return { usage, costNanos: parseNanos(costNanos) };
}
