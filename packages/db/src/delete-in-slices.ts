// Deletes what is over in slices, so that no statement takes long or keeps many rows locked, however much there is.
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./connect.ts";

const sliceRows = 1_000;
const slicesMax = 500;

/** Returns how many rows were deleted; what is left after 500 slices is for the next run. */
export async function deleteInSlices(
  db: Db,
  table: PgTable,
  where: SQL,
  slice = sliceRows,
): Promise<number> {
  const name = sql.identifier(getTableName(table));
  let deleted = 0;
  for (let count = 0; count < slicesMax; count += 1) {
    // The condition once more: a row that changed meanwhile may have to stay.
    const [row] = await db.execute<{ deleted: number }>(sql`
      with gone as (
        delete from ${name} where ${where}
           and ctid = any(array(select ctid from ${name} where ${where} limit ${slice}))
        returning 1)
      select count(*)::int as deleted from gone`);
    const now = row?.deleted ?? 0;
    deleted += now;
    if (now < slice) break;
  }
  return deleted;
}
