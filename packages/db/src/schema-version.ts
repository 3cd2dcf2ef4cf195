// Which schema this version of the code is written for, and which older versions can still serve it: a rolling
// upgrade never leaves an instance behind that fails every call.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sql } from "./connect.ts";

/**
 * The number of the oldest migration whose code still runs on the newest schema. A migration that the code
 * before it cannot follow sets this to its own number.
 */
export const oldestServed = 74;

export type Migration = {
  readonly number: number;
  /** The name of its file in `drizzle/`, without the extension. */
  readonly tag: string;
  /** In Unix milliseconds; a database records it with what it applied. */
  readonly createdAtMs: number;
};

const migrations = parseJournal();

/** The migration from which an empty database begins: the whole schema of a release. */
export const baseline = first(migrations);

/** The number of the newest migration of this version. */
export const schemaVersion = migrations.at(-1)?.number ?? baseline.number;

function parseJournal(): readonly Migration[] {
  const journal = fileURLToPath(new URL("../../../drizzle/meta/_journal.json", import.meta.url));
  const { entries }: { entries: { idx: number; tag: string; when: number }[] } = JSON.parse(
    readFileSync(journal, "utf8"),
  );
  return entries.map(({ idx, tag, when }) => ({ number: idx, tag, createdAtMs: when }));
}

function first([migration]: readonly Migration[]): Migration {
  if (migration === undefined) throw new Error("the journal of migrations is empty");
  return migration;
}

/** Thrown instead of a migration that must not be made now; the message says what to do. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

/** The number of the newest migration that a database has. Earlier migrations were numbered from 0. */
export const appliedVersion = (sql: Sql) => sql`(
  select case when bool_or(created_at = ${baseline.createdAtMs}::bigint)
              then ${baseline.number}::int + count(*) filter (where created_at > ${baseline.createdAtMs}::bigint)
              else count(*) - 1 end
    from drizzle.__drizzle_migrations)::int`;

/** Undefined for a database without tables of ours; -1 where they have no journal. */
export async function queryAppliedVersion(sql: Sql): Promise<number | undefined> {
  const [known] = await sql<{ hasJournal: boolean; hasTables: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as "hasJournal",
           to_regclass('instances') is not null as "hasTables"`;
  if (known?.hasJournal !== true) return known?.hasTables === true ? -1 : undefined;
  const [row] = await sql<{ applied: number }[]>`select ${appliedVersion(sql)} as applied`;
  const applied = row?.applied ?? -1;
  return applied < 0 && !known.hasTables ? undefined : applied;
}

/** Throws MigrationRefused for a schema of a later version, which does not serve this one. */
export async function assertServed(sql: Sql, applied: number): Promise<void> {
  const oldest = await queryOldestServed(sql);
  if (oldest === undefined || oldest <= schemaVersion) return;
  throw new MigrationRefused(
    `${describeTooOld(oldest, applied)}. Run that version, or restore the backup.`,
  );
}

/** Undefined where no version has said it yet. */
async function queryOldestServed(sql: Sql): Promise<number | undefined> {
  const [known] = await sql<{ state: string | null }[]>`
    select to_regclass('schema_state')::text as state`;
  if (known?.state == null) return undefined;
  const [state] = await sql<{ oldest: number }[]>`select oldest_served as oldest from schema_state`;
  return state?.oldest;
}

/** A version cannot serve a schema whose oldest one is later. */
export function describeTooOld(oldest: number, applied: number): string {
  return `this version is too old: the database has the schema of a later version (${applied}; its oldest version is ${oldest}, this one is ${schemaVersion})`;
}

/** Throws MigrationRefused for a role that may not change the tables that exist. */
export async function assertOwner(sql: Sql): Promise<void> {
  const [role] = await sql<{ name: string; owns: boolean }[]>`
    select current_user as name, pg_has_role(relowner, 'USAGE') as owns
      from pg_class where oid = to_regclass('instances')`;
  if (role === undefined || role.owns) return;
  throw new MigrationRefused(
    `the role ${role.name} does not own the tables and may not migrate them. Set DATABASE_MIGRATION_URL to that of their owner, or leave it unset for a server that only checks the schema.`,
  );
}

/** Throws MigrationRefused while instances run that would fail on the schema of this version. */
export async function assertNoneLeftBehind(sql: Sql): Promise<void> {
  const oldest = await queryOldestServed(sql);
  if (oldest === undefined || oldest >= oldestServed) return;
  const live = await sql<{ id: string }[]>`
    select id from instances
     where ended_at is null and heartbeat_at > now() - interval '1 minute'
       and coalesce(schema_version, 0) < ${oldestServed}::int`;
  if (live.length === 0) return;
  throw new MigrationRefused(
    `${live.length} running instance(s) of an older version cannot use the new schema. Stop them, and wait a minute if they were killed, or set MIGRATE_PAST_LIVE_INSTANCES=true to let them fail.`,
  );
}

/**
 * Whether orders of the sandbox checkout may be credited. The server's role cannot write it, so what gives money away
 * in development credits nothing in production.
 */
export async function allowSandbox(sql: Sql, isAllowed: boolean): Promise<void> {
  await sql`
    update schema_state set sandbox_refused_since =
      case when not ${isAllowed}::boolean then coalesce(sandbox_refused_since, now()) end`;
}

/** Tells running instances which versions may continue. */
export async function announceServed(sql: Sql): Promise<void> {
  await sql`
    insert into schema_state (singleton, oldest_served) values (true, ${oldestServed})
    on conflict (singleton) do update
      set oldest_served = greatest(schema_state.oldest_served, excluded.oldest_served)`;
}
