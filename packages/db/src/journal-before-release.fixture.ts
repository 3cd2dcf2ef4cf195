// A database as the last version before release 0.1.0 left it: its schema is that of the baseline, and its journal has a row
// for each migration that the baseline replaced.
import { lastBeforeRelease } from "./adopt-release.ts";
import type { Sql } from "./connect.ts";
import { baseline } from "./schema-version.ts";

/** Rewrites the journal of a database of this version. By default its last row is that of such a database. */
export async function journalBeforeRelease(
  sql: Sql,
  {
    number = lastBeforeRelease.number,
    sha256 = lastBeforeRelease.sha256,
  }: { readonly number?: number; readonly sha256?: string } = {},
): Promise<void> {
  await sql`truncate drizzle.__drizzle_migrations`;
  await sql`
    insert into drizzle.__drizzle_migrations (hash, created_at)
    select case when n = ${number}::int then ${sha256} else 'former ' || n end,
           ${baseline.createdAtMs}::bigint - 100 + n
      from generate_series(0, ${number}::int) n`;
  await sql`update schema_state set oldest_served = ${number}`;
}
