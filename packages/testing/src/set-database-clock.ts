// Sets the clock of a test database: what depends on the day of the week is tested on every day. Column
// defaults and views keep the real time, because PostgreSQL resolved their functions when it created them.
import postgres from "postgres";
import type { TestDatabase } from "./database.ts";

/**
 * `now()` and `clock_timestamp()` return `at`, in our SQL functions from now on and in the statements of
 * connections opened from now on. May be called again with another time.
 */
export async function setDatabaseClock({ ownerUrl, name }: TestDatabase, at: Date): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql.begin(async (tx) => {
      for (const clock of ["now", "clock_timestamp"]) {
        await tx.unsafe(`create or replace function public.${clock}() returns timestamptz
          language sql stable as $$ select '${at.toISOString()}'::timestamptz $$`);
      }
      // PostgreSQL's own functions come first unless the path names their schema later.
      await tx`alter database ${tx(name)} set search_path = public, pg_catalog`;
      const functions = await tx<{ signature: string }[]>`
        select oid::regprocedure::text as signature from pg_proc
         where pronamespace = 'public'::regnamespace and prokind = 'f'
           and array_to_string(proconfig, ',') like '%search_path=public, pg_temp%'`;
      for (const { signature } of functions) {
        await tx.unsafe(
          `alter function ${signature} set search_path = public, pg_catalog, pg_temp`,
        );
      }
    });
  } finally {
    await sql.end();
  }
}
