// Brings a database to the newest schema and functions and the server's role to its rights. Safe when
// several instances start at the same time: they queue on one advisory lock, and the second finds nothing
// to do.
import { fileURLToPath } from "node:url";
import { sql as query } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { adoptRelease, mustAdopt } from "./adopt-release.ts";
import { type Connection, connectDatabase, type Sql } from "./connect.ts";
import { planForShards } from "./distribute-tables.ts";
import {
  announceFunctions,
  type FunctionSet,
  mayApply,
  queryFunctionsVersion,
  readFunctionSet,
} from "./functions-version.ts";
import { setLedgerKeys } from "./ledger-keys.ts";
import { preparePartitions } from "./prepare-partitions.ts";
import type { FunctionFile } from "./read-functions.ts";
import {
  allowSandbox,
  announceServed,
  assertNoneLeftBehind,
  assertOwner,
  assertServed,
  queryAppliedVersion,
  schemaVersion,
} from "./schema-version.ts";

const newest = fileURLToPath(new URL("../../../drizzle", import.meta.url));
/** Any fixed number works; it only has to be the same in every instance. */
const migrationLock = 7_205_759_403n;

export type MigrateOptions = {
  /** Its role must own the schema. */
  readonly url: string;
  /** Default: those of the repository. */
  readonly migrationsFolder?: string;
  /** Migrates although live instances of an older version will fail their calls; default false. */
  readonly passLiveInstances?: boolean;
  /** Whether sandbox payments are credited from now on; default: as before, in a new database not. */
  readonly sandbox?: boolean | undefined;
  /** What proves movements of money from now on; none: nothing has to be proven. Default: as before. */
  readonly ledgerKeys?: readonly string[] | undefined;
};

/** Numbers of the newest migration before and after; `from` is undefined for an empty database. */
export type Migrated = { readonly from: number | undefined; readonly to: number };

/** Applies the migrations that are missing. Throws MigrationRefused. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const {
    url,
    migrationsFolder = newest,
    passLiveInstances = false,
    sandbox,
    ledgerKeys,
  } = options;
  const connection = connectDatabase({
    url,
    max: 2,
    applicationName: "turnpike migrate",
    statementTimeoutMs: 600_000,
    lockTimeoutMs: 600_000,
    answerTimeoutMs: 630_000,
  });
  try {
    // The lock belongs to a transaction: behind a transaction pooler we cannot keep a session.
    return await connection.db.transaction(async (lock) => {
      await lock.execute(query`set local idle_in_transaction_session_timeout = 0`);
      await lock.execute(query`select pg_advisory_xact_lock(${migrationLock.toString()}::bigint)`);
      const { sql } = connection;
      const from = await queryAppliedVersion(sql);
      const set = await readFunctionSet(migrationsFolder);
      let isNewest = true;
      if (from !== undefined) {
        await assertServed(sql, from);
        const isAdopted = await mustAdopt(sql, from);
        if (!passLiveInstances) await assertNoneLeftBehind(sql);
        isNewest = await hasNewest(sql, from, set);
        await assertOwner(sql);
        if (isAdopted) await adoptRelease(sql, migrationsFolder);
      }
      await applyMigrations(migratable(connection.db), { migrationsFolder });
      if (isNewest) {
        await announceServed(sql);
        await announceFunctions(sql, set);
        await applyFunctions(connection, set);
        await connection.db.execute(query.raw(set.rights));
        await planForShards(sql);
        if (sandbox !== undefined) await allowSandbox(sql, sandbox);
        if (ledgerKeys !== undefined) await setLedgerKeys(sql, ledgerKeys);
      }
      // If a reader blocks this, the server's periodic job creates them a little later.
      await preparePartitions(connection.db);
      return { from, to: Math.max(from ?? 0, schemaVersion) };
    });
  } finally {
    await connection.close();
  }
}

/** Whether nothing in the database is of a later version: what is of this one would stand beside it. */
async function hasNewest(sql: Sql, from: number, set: FunctionSet): Promise<boolean> {
  return from <= schemaVersion && mayApply(set, await queryFunctionsVersion(sql));
}

/** Drizzle's migrator asks for the database type with its client; `connectDatabase` made exactly that. */
function migratable(db: unknown): Parameters<typeof applyMigrations>[0] {
  return db as Parameters<typeof applyMigrations>[0];
}

/**
 * Brings the functions to the text of this version: each file is applied whole, in its own transaction, when its hash
 * differs from the one applied last.
 */
async function applyFunctions(connection: Connection, own: FunctionSet): Promise<void> {
  const { db } = connection;
  await db.execute(query`
    create table if not exists schema_functions (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const applied = await db.execute<{ name: string; sha256: string }>(
    query`select name, sha256 from schema_functions`,
  );
  const known = new Map(applied.map((row) => [row.name, row.sha256]));
  const changed = own.files.filter(({ name, sha256 }) => known.get(name) !== sha256);
  // Running processes call what is there: a function that is new comes before those that now call it.
  const isNew = ({ name }: FunctionFile) => !known.has(name);
  const ordered = [...changed.filter(isNew), ...changed.filter((file) => !isNew(file))];
  for (const { name, text, sha256 } of ordered) {
    await connection.sql.begin(async (transaction) => {
      await transaction`select set_config('turnpike.functions_version', ${String(own.version)}, true)`;
      await transaction.unsafe(text);
      await transaction`
        insert into schema_functions (name, sha256) values (${name}, ${sha256})
        on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`;
    });
  }
}
