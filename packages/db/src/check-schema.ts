// For a server whose role may not migrate: it starts only on the schema and functions that its version was written
// for, or on those of a later version that still serves it.
import { connectDatabase, type Sql } from "./connect.ts";
import { readFunctions } from "./read-functions.ts";
import { schemaVersion } from "./schema-version.ts";

/** Thrown where the schema does not fit; the message says what to do. */
export class SchemaUnfit extends Error {
  override readonly name = "SchemaUnfit";
}

const advice = "Run `bun run admin migrate` of this version, as the owner of the tables";

/** Whether the role of `url` may migrate: it owns the tables, or could create them. */
export async function mayMigrate(url: string): Promise<boolean> {
  const connection = connectDatabase({ url, max: 1, applicationName: "turnpike start" });
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
  const connection = connectDatabase({ url, max: 1, applicationName: "turnpike start" });
  try {
    const { sql } = connection;
    const found = await readState(sql);
    if (found === undefined)
      throw new SchemaUnfit(`the database was not migrated for this version yet. ${advice}.`);
    const { version, oldestServed } = found;
    if (oldestServed > schemaVersion) {
      throw new SchemaUnfit(
        `the database has the schema of a later version (its oldest version is ${oldestServed}, this one is ${schemaVersion}). Run that version.`,
      );
    }
    if (version < schemaVersion) {
      const behind = `the schema is behind this version (${version}, needed ${schemaVersion})`;
      throw new SchemaUnfit(`${behind}. ${advice}.`);
    }
    // Of a later schema the functions are later, too.
    if (version > schemaVersion || (await haveOwnFunctions(sql))) return;
    throw new SchemaUnfit(`the SQL functions are those of another version. ${advice}.`);
  } finally {
    await connection.close();
  }
}

type State = { readonly version: number; readonly oldestServed: number };

/** Undefined where this role sees no schema that a version with this check has migrated. */
async function readState(sql: Sql): Promise<State | undefined> {
  const [seen] = await sql<{ visible: boolean }[]>`
    select to_regclass('schema_state') is not null and exists (
      select from pg_namespace
       where nspname = 'drizzle' and has_schema_privilege(oid, 'USAGE')) as visible`;
  if (seen?.visible !== true) return undefined;
  const [state] = await sql<State[]>`
    select (select count(*)::int - 1 from drizzle.__drizzle_migrations) as version,
           oldest_served as "oldestServed"
      from schema_state`;
  return state;
}

async function haveOwnFunctions(sql: Sql): Promise<boolean> {
  const rows = await sql<{ name: string; sha256: string }[]>`
    select name, sha256 from schema_functions`;
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const own = await readFunctions();
  return own.every(({ name, sha256 }) => applied.get(name) === sha256);
}
