// Creates the template that test databases are cloned from. PostgreSQL clones only a database without
// connections, so the template is closed to connections once it is migrated.
import postgres from "postgres";

/**
 * Creates and migrates the template; returns its name, for `TEST_TEMPLATE`.
 * `ownerUrl` is the cluster's `postgres` database, `migrate` gets the template's own URL.
 */
export async function prepareTemplate(
  ownerUrl: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<string> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const name = `template_${Bun.randomUUIDv7("hex")}`;
  try {
    await sql`create database ${sql(name)}`;
    const url = new URL(ownerUrl);
    url.pathname = `/${name}`;
    await migrate(url.href);
    await sql`alter database ${sql(name)} with allow_connections false`;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
               where datname = ${name} and backend_type = 'client backend'`;
    return name;
  } finally {
    await sql.end();
  }
}

const objectInUse = "55006";
const cloneAttempts = 50;

/** Clones `template` as `name`; waits while another connection still holds the template. */
export async function cloneDatabase(
  sql: postgres.Sql,
  template: string,
  name: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Faster than writing the copy to the write-ahead log; a test database is never recovered from it.
      await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`;
      return;
    } catch (error) {
      const busy = error instanceof postgres.PostgresError && error.code === objectInUse;
      if (!busy || attempt === cloneAttempts) throw error;
      await Bun.sleep(100);
    }
  }
}

/** Ends every connection to a database and removes it. */
export async function dropDatabase(sql: postgres.Sql, name: string): Promise<void> {
  await sql`drop database if exists ${sql(name)} with (force)`;
}
