// Sets the clock of a test database: what depends on the day of the week is tested on every day. Column
// defaults and views keep the real time, because PostgreSQL resolved their functions when it created them, unless the
// clock was set before the migrations ran.
import postgres from "postgres";
import type { TestDatabase } from "./database.ts";

type Clocked = Pick<TestDatabase, "ownerUrl" | "name">;

/**
 * `now()` and `clock_timestamp()` return `at`, in our SQL functions from now on and in the statements of
 * connections opened from now on. May be called again with another time.
 */
export async function setDatabaseClock(database: Clocked, at: Date): Promise<void> {
  await replaceClock(database, () => `'${at.toISOString()}'::timestamptz`);
}

/** The same, but the clock goes on: it is ahead of the real one by `aheadMs`. */
export async function shiftDatabaseClock(database: Clocked, aheadMs: number): Promise<void> {
  const ahead = `interval '${aheadMs} milliseconds'`;
  await replaceClock(database, (clock) => `pg_catalog.${clock}() + ${ahead}`);
}

async function replaceClock(
  { ownerUrl, name }: Clocked,
  expressionOf: (clock: string) => string,
): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await sql.begin(async (tx) => {
      // Beside the schemas of the product, whose functions not every role may execute.
      await tx`create schema if not exists test_clock`;
      await tx`grant usage on schema test_clock to public`;
      for (const clock of ["now", "clock_timestamp"]) {
        await tx.unsafe(`create or replace function test_clock.${clock}() returns timestamptz
          language sql stable as $$ select ${expressionOf(clock)} $$`);
        await tx.unsafe(`grant execute on function test_clock.${clock}() to public`);
      }
      // PostgreSQL's own functions come first unless the path names their schema later.
      await tx`alter database ${tx(name)} set search_path = public, test_clock, pg_catalog`;
      const functions = await tx<{ signature: string }[]>`
        select oid::regprocedure::text as signature from pg_proc
         where pronamespace = 'public'::regnamespace and prokind = 'f'
           and array_to_string(proconfig, ',') like '%search_path=public, pg_temp%'`;
      for (const { signature } of functions) {
        await tx.unsafe(
          `alter function ${signature} set search_path = public, test_clock, pg_catalog, pg_temp`,
        );
      }
    });
  } finally {
    await sql.end();
  }
}
