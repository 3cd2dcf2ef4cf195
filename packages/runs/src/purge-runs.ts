// Deletes runs that have expired, with their events.
import { type Db, deleteInSlices, runs } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** Each may have some hundred rows of events. */
const runsAtOnce = 50;

/** Returns how many were deleted. */
export async function purgeRuns(db: Db): Promise<number> {
  return deleteInSlices(db, runs, sql`expires_at <= now()`, runsAtOnce);
}
