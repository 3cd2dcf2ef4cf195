// Deletes batches that were over for as long as their results are kept by default.
import { batches, type Db, deleteInSlices } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** Each may have lines, if it failed after they ran. */
const batchesAtOnce = 50;

/** Returns how many were deleted. */
export async function purgeBatches(db: Db): Promise<number> {
  const isOld = sql`ended_at < now() - interval '30 days'`;
  return deleteInSlices(db, batches, isOld, batchesAtOnce);
}
