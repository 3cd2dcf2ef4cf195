// Brings a database to the newest schema and the server's role to its rights. Safe when several
// instances start at once: they queue on one advisory lock, and the second finds nothing left to do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql as query } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { connectDatabase } from "./connect.ts";
import { preparePartitions } from "./prepare-partitions.ts";

const newest = fileURLToPath(new URL("../../../drizzle", import.meta.url));
/** Any fixed number works; it only has to be the same in every instance. */
const migrationLock = 7_205_759_403n;

export type MigrateOptions = {
  /** Its role must own the schema. */
  readonly url: string;
  /** Default: every migration of the repository. A test of an upgrade names an older set. */
  readonly migrationsFolder?: string;
};

/** Applies the migrations that are missing. */
export async function migrate({ url, migrationsFolder = newest }: MigrateOptions): Promise<void> {
  const connection = connectDatabase({
    url,
    max: 2,
    applicationName: "turnpike migrate",
    statementTimeoutMs: 600_000,
    lockTimeoutMs: 600_000,
  });
  try {
    // The lock belongs to a transaction: behind a transaction pooler a session is not ours to keep.
    await connection.db.transaction(async (lock) => {
      await lock.execute(query`set local idle_in_transaction_session_timeout = 0`);
      await lock.execute(query`select pg_advisory_xact_lock(${migrationLock.toString()}::bigint)`);
      await applyMigrations(migratable(connection.db), { migrationsFolder });
      // They name what an older set of migrations does not have yet.
      if (migrationsFolder === newest) await connection.db.execute(query.raw(readRights()));
      // Where a reader is in the way, the server's own job makes them a little later.
      await preparePartitions(connection.db);
    });
  } finally {
    await connection.close();
  }
}

function readRights(): string {
  return readFileSync(join(newest, "rights.sql"), "utf8");
}

/** Drizzle's migrator asks for the database type with its client; `connectDatabase` made exactly that. */
function migratable(db: unknown): Parameters<typeof applyMigrations>[0] {
  return db as Parameters<typeof applyMigrations>[0];
}
