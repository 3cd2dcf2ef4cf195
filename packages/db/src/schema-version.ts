// Which schema this version of the code is written for, and which older versions can still serve it: a rolling
// upgrade never leaves an instance behind that fails every call.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Sql } from "./connect.ts";

/**
 * The number of the oldest migration whose code still runs on the newest schema. A migration that the code
 * before it cannot follow sets this to its own number.
 */
export const oldestServed = 73;

/** The first version that writes its number into `instances`. */
const firstThatTells = 28;

/** The number of the newest migration of this version. */
export const schemaVersion = readNewest();

function readNewest(): number {
  const journal = fileURLToPath(new URL("../../../drizzle/meta/_journal.json", import.meta.url));
  const { entries } = JSON.parse(readFileSync(journal, "utf8"));
  const newest: unknown = entries.at(-1)?.idx;
  if (typeof newest !== "number") throw new Error("the journal of migrations is empty");
  return newest;
}

/** Thrown instead of a migration that must not be made now; the message says what to do. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

type Versions = { readonly applied: number; readonly oldest: number | null };

/**
 * Throws MigrationRefused for a schema of a later version, and for live instances that would fail. Resolves with the
 * number of the newest migration, if there is one.
 */
export async function refuseUnserved(
  sql: Sql,
  passLiveInstances: boolean,
): Promise<number | undefined> {
  const [known] = await sql<{ tables: number }[]>`
    select (to_regclass('instances') is not null)::int
         + (to_regclass('drizzle.__drizzle_migrations') is not null)::int
         + (to_regclass('schema_state') is not null)::int as tables`;
  const tables = known?.tables ?? 0;
  if (tables < 2) return undefined;
  const [versions] = await sql<Versions[]>`
    select count(*)::int - 1 as applied,
           ${tables === 3 ? sql`(select oldest_served from schema_state)` : sql`null::int`} as oldest
      from drizzle.__drizzle_migrations`;
  const { applied = 0, oldest = null } = versions ?? {};
  if (oldest !== null && oldest > schemaVersion) {
    throw new MigrationRefused(
      `${describeTooOld(oldest, applied)}. Run that version, or restore the backup.`,
    );
  }
  if (passLiveInstances || applied >= oldestServed) return applied;
  await refuseLiveInstances(sql, Math.min(applied, firstThatTells - 1));
  return applied;
}

/** A version cannot serve a schema whose oldest one is later. */
export function describeTooOld(oldest: number, applied: number): string {
  return `this version is too old: the database has the schema of a later version (${applied}; its oldest version is ${oldest}, this one is ${schemaVersion})`;
}

/** Throws MigrationRefused for a role that may not change the tables that exist. */
export async function refuseOthers(sql: Sql): Promise<void> {
  const [role] = await sql<{ name: string; owns: boolean }[]>`
    select current_user as name, pg_has_role(relowner, 'USAGE') as owns
      from pg_class where oid = to_regclass('instances')`;
  if (role === undefined || role.owns) return;
  throw new MigrationRefused(
    `the role ${role.name} does not own the tables and may not migrate them. Set DATABASE_MIGRATION_URL to that of their owner, or leave it unset for a server that only checks the schema.`,
  );
}

/** `untold` is the version of an instance that did not write its own. */
async function refuseLiveInstances(sql: Sql, untold: number): Promise<void> {
  // Not a column: older schemas do not have it.
  const live = await sql<{ id: string }[]>`
    select id from instances i
     where ended_at is null and heartbeat_at > now() - interval '1 minute'
       and coalesce((to_jsonb(i) ->> 'schema_version')::int, ${untold}::int) < ${oldestServed}::int`;
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
