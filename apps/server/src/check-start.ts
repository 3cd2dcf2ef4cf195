// The checks of a start: environment, descriptors, catalog, files and database are all checked before anything is
// opened or migrated, and all mistakes are reported together. `admin doctor` makes the same checks.
import { findDatabaseMistakes } from "./check-database.ts";
import { findDescriptorMistakes } from "./check-descriptors.ts";
import { checkStorage } from "./check-storage.ts";
import { type Config, ConfigError, type ReadEnvironment } from "./config.ts";
import { sentencesOf } from "./describe-start-failure.ts";
import { readLegal } from "./http/public/legal.ts";
import { readCatalogFile } from "./open-catalog.ts";
import { readPlaces } from "./read-places.ts";

/** Besides those of the environment. Each throws what is wrong, and leaves nothing changed. */
export const startChecks = {
  catalog: (config) => void readCatalogFile(config),
  places: ({ GEO_FILE }) => void (GEO_FILE !== undefined && readPlaces(GEO_FILE)),
  legal: (config) => void readLegal(config),
  /** A service that is away does not keep calls without files from being served. */
  storage: async (config) => void (await checkStorage(config)),
  async database(config) {
    const found = await findDatabaseMistakes(config);
    if (found.length > 0) throw new ConfigError(found);
  },
} as const satisfies Record<string, (config: Config) => void | Promise<void>>;

/**
 * Throws ConfigError with every mistake, or, if that is the only mistake, the CatalogError or the
 * database's error.
 */
export async function checkStart({ config, mistakes: found }: ReadEnvironment): Promise<Config> {
  if (config === undefined) throw new ConfigError(found);
  const isProduction = config.NODE_ENV === "production";
  const mistakes = [...found, ...(isProduction ? findDescriptorMistakes(config) : [])];
  const failed = await collectFailures(config);
  if (mistakes.length === 0 && failed.length === 0) return config;
  const [only, ...more] = failed;
  if (mistakes.length === 0 && more.length === 0) throw only;
  throw new ConfigError([...mistakes, ...failed.flatMap(sentencesOf)]);
}

async function collectFailures(config: Config): Promise<unknown[]> {
  const failed: unknown[] = [];
  for (const check of Object.values(startChecks)) {
    try {
      await check(config);
    } catch (error) {
      failed.push(error);
    }
  }
  return failed;
}
