// What the environment may change about `bun dev`, read in one place with one sentence per mistake.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");

export type DevOptions = ReturnType<typeof readDevOptions>;

export function readDevOptions(environment: NodeJS.ProcessEnv) {
  const port = Number(environment.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is "${environment.PORT}", which is not a port number from 1 to 65535.`);
  }
  const catalogFile = resolve(root, environment.CATALOG_FILE || "catalog.yaml");
  if (!existsSync(catalogFile)) throw new Error(`There is no catalogue at ${catalogFile}.`);
  const dataDir = resolve(root, environment.DATA_DIR || ".data");
  const appUrl = environment.DATABASE_URL;
  /** Undefined: `bun dev` starts its own. Its owner migrates, if that is another role. */
  const database = appUrl ? { appUrl, ownerUrl: environment.DATABASE_MIGRATION_URL } : undefined;
  return { root, port, dataDir, catalogFile, database };
}
