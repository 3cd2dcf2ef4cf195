// Creates the monthly partitions of requests ahead of time. Until a month has its own, its rows are
// kept in the default partition, so a failure here never prevents a call; it is tried again.
import { sql as query } from "drizzle-orm";
import { type Db, isLockTimeout } from "./connect.ts";

const monthsAhead = 3;

/**
 * Creates what is missing of this month and the next three, and moves the rows of those months out of the
 * default partition. False when a reader kept the default partition locked: nothing was changed, and
 * the next try may succeed.
 */
export async function preparePartitions(db: Db): Promise<boolean> {
  try {
    await db.execute(query`select ensure_request_partitions(${monthsAhead})`);
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}
