// The checks of a start that need the database: it accepts writes, its version and the limits of its sessions are
// those that the server needs and, in production, it keeps writes after a crash and its clock agrees with ours.
import { type Connection, connectForChecks } from "@turnpike/db";
import { clockSkewMaxMs } from "@turnpike/ledger";
import type { Config } from "./config.ts";
import { DatabaseFailure } from "./describe-start-failure.ts";

type Row = { now: string; recovery: boolean; readonly: string; fsync: string; commit: string };

/** Every check that fails, for each configured database. Throws DatabaseFailure when one cannot be used. */
export async function findDatabaseMistakes(config: Config): Promise<string[]> {
  const mistakes = await checkUrl("DATABASE_URL", config.DATABASE_URL, config);
  const { DATABASE_MIGRATION_URL: migrationUrl } = config;
  if (migrationUrl === undefined || migrationUrl === config.DATABASE_URL) return mistakes;
  const others = await checkUrl("DATABASE_MIGRATION_URL", migrationUrl, config);
  // Usually both are the same server: report each problem once.
  const said = new Set(mistakes.map(withoutName));
  return [...mistakes, ...others.filter((mistake) => !said.has(withoutName(mistake)))];
}

const withoutName = (mistake: string) => mistake.slice(mistake.indexOf(":"));

async function checkUrl(name: string, url: string, config: Config): Promise<string[]> {
  const connection = connectForChecks(url);
  try {
    const askedAtMs = Date.now();
    const [row] = await connection.sql<Row[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
             pg_is_in_recovery() as recovery,
             current_setting('default_transaction_read_only') as readonly,
             current_setting('fsync') as fsync,
             current_setting('synchronous_commit') as commit`;
    if (row === undefined) throw new Error("a select without a row");
    const skewMs = Number(row.now) - (askedAtMs + Date.now()) / 2;
    const mistakes = [
      ...findReadOnly(row),
      ...(config.NODE_ENV === "production" ? findUnfit(row, skewMs) : []),
    ].map((mistake) => `${name}: ${mistake}`);
    // Calls are served in sessions of the server's role.
    if (url === config.DATABASE_URL) mistakes.push(...(await findSessionMistakes(connection)));
    return mistakes;
  } catch (error) {
    throw new DatabaseFailure(name, error);
  } finally {
    await connection.close();
  }
}

function findReadOnly({ recovery, readonly }: Row): string[] {
  if (recovery) return ["is a hot standby, which accepts no writes; name the primary."];
  if (readonly === "on") return ["is read-only (default_transaction_read_only); name the primary."];
  return [];
}

function findUnfit({ fsync, commit }: Row, skewMs: number): string[] {
  const mistakes: string[] = [];
  if (Math.abs(skewMs) > clockSkewMaxMs) {
    mistakes.push(`its clock and ours differ by ${Math.round(skewMs)} ms; set both.`);
  }
  if (fsync === "off" || commit === "off") {
    mistakes.push("loses commits in a crash; set fsync and synchronous_commit on.");
  }
  return mistakes;
}

/** The oldest major version that the tests and the documentation name. */
const versionMin = 15;

type SessionRow = { version: number; role: string; statement: string; lock: string; idle: string };

/**
 * What every session of the server's role needs and lacks, with or without a pooler in between, with the SQL that
 * sets it: a PostgreSQL version that supports the schema, and time limits on statements, locks and idle transactions.
 */
async function findSessionMistakes(database: Connection): Promise<string[]> {
  const [row] = await database.sql<SessionRow[]>`
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
