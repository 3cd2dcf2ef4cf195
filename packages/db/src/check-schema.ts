// For a server whose role may not migrate: it starts only on the schema and functions that its version was written
// for, or on those of a later version that still serves it.

import { describeBeforeRelease, lastBeforeRelease } from "./adopt-release.ts";
import type { Sql } from "./connect.ts";
import { connectForChecks } from "./connect-for-checks.ts";
import { queryFunctionsVersion, readFunctionSet } from "./functions-version.ts";
import { appliedVersion, describeTooOld, schemaVersion } from "./schema-version.ts";

/** Thrown where the schema does not fit; the message says what to do. */
export class SchemaUnfit extends Error {
  override readonly name = "SchemaUnfit";
}

const advice = "Run `bun run admin migrate` of this version, as the owner of the tables";

/** Whether the role of `url` may migrate: it owns the tables, or could create them. */
export async function mayMigrate(url: string): Promise<boolean> {
  const connection = connectForChecks(url);
  try {
    const [row] = await connection.sql<{ may: boolean }[]>`
      select coalesce(
        (select pg_has_role(relowner, 'USAGE') from pg_class where oid = to_regclass('instances')),
        has_database_privilege(current_database(), 'CREATE')) as may`;
    return row?.may ?? false;
  } finally {
    await connection.close();
  }
}

/** Throws SchemaUnfit. Changes nothing. */
export async function checkSchema(url: string): Promise<void> {
  const connection = connectForChecks(url);
  try {
    const { sql } = connection;
    const found = await queryState(sql);
    if (found === undefined)
      throw new SchemaUnfit(`the database was not migrated for this version yet. ${advice}.`);
    const { version, oldestServed } = found;
    if (oldestServed > schemaVersion) {
      throw new SchemaUnfit(`${describeTooOld(oldestServed, version)}. Run that version.`);
    }
    if (version < lastBeforeRelease.number) throw new SchemaUnfit(describeBeforeRelease(version));
    if (version < schemaVersion) {
      const behind = `the schema is behind this version (${version}, needed ${schemaVersion})`;
      throw new SchemaUnfit(`${behind}. ${advice}.`);
    }
    // Of a later schema the functions are later, too.
    if (version > schemaVersion) return;
    const other = await describeOtherFunctions(sql);
    if (other !== undefined) throw new SchemaUnfit(other);
  } finally {
    await connection.close();
  }
}

type State = { readonly version: number; readonly oldestServed: number };

/** Undefined where this role sees no schema that a version with this check has migrated. */
async function queryState(sql: Sql): Promise<State | undefined> {
  const [seen] = await sql<{ visible: boolean }[]>`
    select coalesce(has_table_privilege(to_regclass('schema_state'), 'SELECT'), false) and exists (
      select from pg_namespace
       where nspname = 'drizzle' and has_schema_privilege(oid, 'USAGE')) as visible`;
  if (seen?.visible !== true) return undefined;
  const [state] = await sql<State[]>`
    select ${appliedVersion(sql)} as version, oldest_served as "oldestServed" from schema_state`;
  return state;
}

/** Undefined where the functions are those of this version, or later ones, which serve it. */
async function describeOtherFunctions(sql: Sql): Promise<string | undefined> {
  const own = await readFunctionSet();
  const applied = await queryFunctionsVersion(sql);
  if (applied !== undefined && applied.version > own.version) return undefined;
  const rows = await sql<{ name: string; sha256: string }[]>`
    select name, sha256 from schema_functions`;
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  if (own.files.every(({ name, sha256 }) => known.get(name) === sha256)) return undefined;
  return `the SQL functions are those of another version. ${advice}.`;
}
