// Deletes what audit logs no longer keep, in slices, so that no lock is held for long. The database decides what
// that is: a row that is still kept cannot be deleted by anyone.
import { sql } from "drizzle-orm";
import type { Db } from "./connect.ts";

const sliceRows = 1_000;
const slicesMax = 200;

/** Returns how many rows were deleted; what is left after 200 slices is for the next run. */
export async function purgeAudit(db: Db, slice = sliceRows): Promise<number> {
  let deleted = 0;
  for (let count = 0; count < slicesMax; count += 1) {
    const [row] = await db.execute<{ deleted: number }>(
      sql`select purge_audit_log(${slice}::int) as deleted`,
    );
    const now = row?.deleted ?? 0;
    deleted += now;
    if (now === 0) break;
  }
  return deleted;
}
