// Forgets people who registered an address and never proved that it is theirs, seven days after they
// last tried. The database decides who that is, and deletes nobody with a trace of money.

import type { Db } from "@turnpike/db";
import { sql } from "drizzle-orm";

/** At least as many an hour as may sign up. */
const deletedMax = 1_000;

/** Returns how many people are gone, each with their empty account. */
export async function deleteUnverified(db: Db): Promise<number> {
  const [row] = await db.execute<{ deleted: number }>(
    sql`select delete_unverified_persons(${deletedMax}::int) as deleted`,
  );
  return row?.deleted ?? 0;
}
