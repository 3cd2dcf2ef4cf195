// What every session of the server's role needs, with or without a pooler in between: a PostgreSQL version
// that supports the schema, and time limits on statements, locks and idle transactions.
import type { Connection } from "@turnpike/db";

/** The oldest major version that the tests and the documentation name. */
const versionMin = 15;

type Row = { version: number; role: string; statement: string; lock: string; idle: string };

/** What is missing, with the SQL that sets it. */
export async function findSessionMistakes(database: Connection): Promise<string[]> {
  const [row] = await database.sql<Row[]>`
    select current_setting('server_version_num')::int / 10000 as version,
           quote_ident(current_user) as role,
           current_setting('statement_timeout') as statement,
           current_setting('lock_timeout') as lock,
           current_setting('idle_in_transaction_session_timeout') as idle`;
  if (row === undefined) throw new Error("a select without a row");
  const mistakes: string[] = [];
  if (row.version < versionMin) {
    mistakes.push(`DATABASE_URL: is PostgreSQL ${row.version}; use ${versionMin} or later.`);
  }
  const limits = [
    ["statement_timeout", row.statement, "5s"],
    ["lock_timeout", row.lock, "2s"],
    ["idle_in_transaction_session_timeout", row.idle, "10s"],
  ] as const;
  // Only a pooler drops the limits that we set ourselves; see connectDatabase.
  for (const [name, value, wanted] of limits) {
    if (value !== "0") continue;
    mistakes.push(
      `DATABASE_URL: sessions have no ${name}; run ALTER ROLE ${row.role} SET ${name} = '${wanted}'.`,
    );
  }
  return mistakes;
}
