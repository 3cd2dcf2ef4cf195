// What the environment may change about `bun dev`, read in one place with one message per mistake.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

export type DevOptions = ReturnType<typeof readDevOptions>;

/** Throws an Error whose message is one sentence. */
export function readDevOptions(environment: NodeJS.ProcessEnv) {
  const root = join(import.meta.dirname, "../..");
  const port = Number(environment.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${environment.PORT}", which is not a port number from 1 to 65535.`);
  }
  const catalogFile = resolve(root, environment.CATALOG_FILE || "catalog.yaml");
  if (!existsSync(catalogFile)) throw new Error(`There is no catalogue at ${catalogFile}.`);
  return {
    root,
    port,
    dataDir: resolve(root, environment.DATA_DIR || ".data"),
    catalogFile,
    /** Undefined: `bun dev` starts its own. */
    databaseUrl: environment.DATABASE_URL || undefined,
    /** The role that migrates, if it is not the one of `databaseUrl`. */
    migrationUrl: environment.DATABASE_MIGRATION_URL || undefined,
  };
}
