// The catalogue of the running process: read from its file, applied to the database, replaced as a
// whole by a reload. A file with mistakes never replaces a working one.
import { readFileSync } from "node:fs";
import {
  applyCatalog,
  type Catalog,
  CatalogError,
  type CatalogFile,
  type CatalogInForce,
  readCatalog,
  withSandboxModels,
} from "@turnpike/catalog";
import type { Db, Listener } from "@turnpike/db";
import { secretsOf } from "@turnpike/providers";
import type { Log, Metrics } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { watchCatalog } from "./watch-catalog.ts";

/** Throws CatalogError with every mistake. */
export function readCatalogFile(config: Config): CatalogFile {
  const read = readCatalog(readFileSync(config.CATALOG_FILE, "utf8"), config.environment, {
    allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS,
  });
  const sandboxUrl = config.SANDBOX_UPSTREAM_URL;
  return sandboxUrl === undefined ? read : withSandboxModels(read, sandboxUrl);
}

/** Secrets that must never appear in a log. */
export function providerKeysOf(file: CatalogFile): string[] {
  const routes = file.models.flatMap((model) => model.routes);
  return [...new Set(routes.flatMap(({ provider }) => secretsOf(provider.credential)))];
}

export type LiveCatalog = CatalogInForce & {
  /**
   * Reads the file again; keeps the current catalogue if the file cannot be used. Other instances
   * follow.
   */
  readonly reload: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openCatalog(options: {
  readonly file: CatalogFile;
  readonly config: Config;
  readonly db: Db;
  readonly listener: Listener;
  readonly log: Log;
  readonly metrics: Metrics;
}): Promise<LiveCatalog> {
  const { config, db, log, metrics } = options;
  const apply = async (file: CatalogFile): Promise<Catalog> => {
    const catalog = await applyCatalog(db, file);
    const { version, models } = catalog;
    metrics.announceModels(models.keys());
    metrics.setCatalog(version, models.size);
    log.info({ version, models: models.size, hidden: file.hidden.length }, "catalogue applied");
    for (const [reason, hidden] of Map.groupBy(file.hidden, (model) => model.reason)) {
      log.info({ reason, models: hidden.map(({ id }) => id) }, "models hidden");
    }
    for (const field of file.unknownFields) log.warn({ field }, "unknown field of the catalogue");
    if (models.size === 0) {
      const reasons = [...new Set(file.hidden.map(({ reason }) => reason))];
      log.error({ reasons }, "no model to offer: every call will be refused");
    }
    return catalog;
  };
  const inForce = { current: await apply(options.file) };
  // Reads the file again if `version` was applied elsewhere and is what the file now contains.
  let warnedOf: string | undefined;
  async function follow(version: string): Promise<void> {
    if (version === inForce.current.version) return;
    const file = readCatalogFile(config);
    if (file.version === version) {
      inForce.current = await apply(file);
      return;
    }
    // Applying it would restore the prices of an older file.
    if (version === warnedOf) return;
    warnedOf = version;
    const versions = { applied: version, serving: inForce.current.version, file: file.version };
    log.warn(versions, "another catalogue was applied elsewhere: copy that file to this machine");
  }
  const watch = await watchCatalog({ db, listener: options.listener, follow, log });
  return Object.assign(inForce, {
    close: watch.close,
    async reload() {
      try {
        inForce.current = await apply(readCatalogFile(config));
      } catch (error) {
        const mistakes = error instanceof CatalogError ? error.mistakes : undefined;
        log.error({ err: error, mistakes }, "catalogue not reloaded: the old one remains in use");
      }
    },
  });
}
