// The checks of a start: environment, descriptors, catalog and database are all checked before anything is
// opened or migrated, and all mistakes are reported together.
import { CatalogError } from "@turnpike/catalog";
import { findDatabaseMistakes } from "./check-database.ts";
import { findDescriptorMistakes } from "./check-descriptors.ts";
import { type Config, ConfigError, type ReadEnvironment } from "./config.ts";
import { readLegal } from "./http/legal.ts";
import { readCatalogFile } from "./open-catalog.ts";
import { readPlaces } from "./read-places.ts";

/**
 * Throws ConfigError with every mistake, or, if that is the only mistake, the CatalogError or the
 * database's error. `describe` turns a database error into a sentence.
 */
export async function checkStart(
  { config, mistakes: found }: ReadEnvironment,
  describe: (error: unknown) => string,
): Promise<Config> {
  if (config === undefined) throw new ConfigError(found);
  const isProduction = config.NODE_ENV === "production";
  const mistakes = [...found, ...(isProduction ? findDescriptorMistakes(config) : [])];
  const failed = await collectFailures([
    () => void readCatalogFile(config),
    () => void (config.GEO_FILE !== undefined && readPlaces(config.GEO_FILE)),
    () => void readLegal(config),
    async () => {
      const found = await findDatabaseMistakes(config);
      if (found.length > 0) throw new ConfigError(found);
    },
  ]);
  if (mistakes.length === 0 && failed.length === 0) return config;
  const [only, ...more] = failed;
  if (mistakes.length === 0 && more.length === 0) throw only;
  const lines = failed.flatMap((error) =>
    error instanceof ConfigError || error instanceof CatalogError
      ? error.message.split("\n")
      : [describe(error)],
  );
  throw new ConfigError([...mistakes, ...lines]);
}

async function collectFailures(
  checks: readonly (() => void | Promise<void>)[],
): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      failed.push(error);
    }
  }
  return failed;
}
