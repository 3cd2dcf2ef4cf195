// The catalog of the running process: read from its file, applied to the database, replaced as a whole by a reload, by
// what was applied elsewhere, or when a file with a provider's key has changed. Mistakes never replace a working one.
import { readFileSync } from "node:fs";
import {
  applyCatalog,
  applySwitches,
  type Catalog,
  CatalogError,
  type CatalogFile,
  type CatalogInForce,
  catalogChannel,
  haveCredentialsChanged,
  queryAppliedVersion,
  queryNewestText,
  querySwitches,
  readCatalog,
  type Switch,
  withSandboxModels,
} from "@turnpike/catalog";
import type { Db, Listener } from "@turnpike/db";
import type { CatalogFiles } from "@turnpike/operator";
import { secretsOf } from "@turnpike/providers";
import { type Log, type Metrics, type SecretList, startInterval } from "@turnpike/telemetry";
import type { Config } from "./config.ts";
import { readCatalogText } from "./read-catalog-text.ts";

export type ReadFile = { readonly text: string; readonly file: CatalogFile };

/** `text` with the credentials of the moment. Throws CatalogError with every mistake. */
export function readCatalogFile(
  config: Config,
  text = readFileSync(config.CATALOG_FILE, "utf8"),
): ReadFile {
  const read = readCatalog(text, config.environment, {
    allowPrivate: config.ALLOW_PRIVATE_UPSTREAMS,
  });
  const sandboxUrl = config.SANDBOX_UPSTREAM_URL;
  return { text, file: sandboxUrl === undefined ? read : withSandboxModels(read, sandboxUrl) };
}

/** Secrets that must never appear in a log. */
function providerKeysOf(file: CatalogFile): string[] {
  const routes = file.models.flatMap((model) => model.routes);
  return [...new Set(routes.flatMap(({ provider }) => secretsOf(provider.credential)))];
}

export type LiveCatalog = CatalogInForce & {
  /**
   * Reads the file again, or what was applied at the desk; keeps the current catalog if it cannot be used. Other
   * instances follow.
   */
  readonly reload: () => Promise<void>;
  /** What operators are shown: the file in use, and any other text as it would be read. */
  readonly files: CatalogFiles;
  readonly close: () => Promise<void>;
};

type CatalogOptions = ReadFile & {
  readonly config: Config;
  readonly db: Db;
  readonly listener: Listener;
  readonly log: Log;
  /** What the log hides; keys that are read later are added. */
  readonly secrets: SecretList;
  readonly metrics: Metrics;
};

export async function openCatalog(options: CatalogOptions): Promise<LiveCatalog> {
  const { config, log, metrics } = options;
  const { db, listener } = options;
  let switches: readonly Switch[] = await querySwitches(db);
  let used = await readSource(options);
  let applied = await apply(options, used.file);
  const inForce = { current: applySwitches(applied, switches) };
  async function use(read: ReadFile): Promise<void> {
    applied = await apply(options, read.file);
    inForce.current = applySwitches(applied, switches);
    used = read;
    metrics.catalogReloaded(true);
  }
  function useSwitches(read: readonly Switch[]): void {
    if (Bun.deepEquals(read, switches)) return;
    switches = read;
    inForce.current = applySwitches(applied, switches);
    log.warn({ off: switches.map(describeSwitch) }, "switches of the catalog changed");
  }

  let turn: Promise<void> = Promise.resolve();
  /** One after the other: an older text must not replace a newer one. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  let mistakenKeys: string | undefined;
  /** With the text in force: the file may have been edited for a later reload. */
  async function followCredentials(): Promise<void> {
    if (!haveCredentialsChanged(used.file)) return;
    try {
      await use(readCatalogFile(config, used.text));
      mistakenKeys = undefined;
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      if (error.message === mistakenKeys) return;
      mistakenKeys = error.message;
      metrics.catalogReloaded(false);
      const { mistakes } = error;
      log.error({ mistakes }, "changed credentials not used: the old ones remain in use");
    }
  }

  let warnedOf: string | undefined;
  /** The switches first: a file that cannot be read must not keep a route on. */
  async function follow(): Promise<void> {
    const [read, version] = await Promise.all([querySwitches(db), queryAppliedVersion(db)]);
    useSwitches(read);
    if (version !== undefined) await followVersion(version);
  }

  /** Reads the file again if `version` was applied elsewhere and is what the file now contains. */
  async function followVersion(version: string): Promise<void> {
    if (version === inForce.current.version) return followCredentials();
    const read = await readSource(options);
    if (read.file.version === version) return use(read);
    // Applying it would restore the prices of an older file.
    if (version === warnedOf) return;
    warnedOf = version;
    metrics.catalogReloaded(false);
    const versions = {
      applied: version,
      serving: inForce.current.version,
      file: read.file.version,
    };
    log.warn(versions, "another catalog was applied elsewhere: copy that file to this machine");
  }
  const watch = await watchCatalog({ listener, follow: () => inTurn(follow), log, metrics });
  const files = {
    path: config.CATALOG_FILE,
    current: () => used.file,
    text: () => used.text,
    own: () => readCatalogFile(config, readCatalogText(config.CATALOG_FILE)).file,
    read: (text: string) => readCatalogFile(config, text).file,
  };
  return Object.assign(inForce, {
    files,
    close: watch.close,
    async reload() {
      try {
        await inTurn(async () => use(await readSource(options)));
      } catch (error) {
        metrics.catalogReloaded(false);
        const mistakes = error instanceof CatalogError ? error.mistakes : undefined;
        log.error({ err: error, mistakes }, "catalog not reloaded: the old one remains in use");
      }
    },
  });
}

const pollEveryMs = 10_000;

/**
 * Follows a catalog that was applied elsewhere, by SIGHUP to another instance or by an operator, and what operators
 * switch off and on: immediately by notification, and within ten seconds by polling if none arrives.
 */
async function watchCatalog(options: {
  /** Closed by its owner. */
  readonly listener: Listener;
  /** Called repeatedly, whether anything has changed or not. */
  readonly follow: () => Promise<void>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "jobRan">;
}): Promise<Pick<LiveCatalog, "close">> {
  const { follow, listener, log, metrics } = options;
  const loop = startInterval(pollEveryMs, follow, { job: "follow catalog", log, metrics });
  const onChange = () => void loop.runNow();
  try {
    await listener.subscribe(catalogChannel, { onMessage: onChange, onReconnect: onChange });
    // What changed after it was read and before this.
    onChange();
  } catch (error) {
    log.warn({ err: error }, "changes of the catalog do not arrive; polling every ten seconds");
  }
  return { close: loop.stop };
}

/** What was applied at the desk, or else the file. Throws CatalogError with every mistake. */
async function readSource({ db, config, log }: CatalogOptions): Promise<ReadFile> {
  const newest = await queryNewestText(db);
  if (newest?.text == null) return readCatalogFile(config);
  log.info({ id: newest.id }, "the catalog applied at the desk is in force, not CATALOG_FILE");
  return readCatalogFile(config, newest.text);
}

async function apply(
  { db, log, metrics, secrets }: CatalogOptions,
  file: CatalogFile,
): Promise<Catalog> {
  secrets.add(providerKeysOf(file));
  const catalog = await applyCatalog(db, file);
  const { version, models } = catalog;
  metrics.announceModels(models.keys());
  metrics.setCatalog(version, models.size);
  log.info({ version, models: models.size, hidden: file.hidden.length }, "catalog applied");
  logHidden(log, file.hidden, "models hidden");
  logHidden(log, file.hiddenRoutes, "routes hidden, other routes of the models remain");
  for (const field of file.unknownFields) log.warn({ field }, "unknown field of the catalog");
  if (models.size === 0) {
    const reasons = [...new Set(file.hidden.map(({ reason }) => reason))];
    log.error({ reasons }, "no model to offer: every call will be refused");
  }
  return catalog;
}

function describeSwitch({ model, provider, upstreamModel }: Switch): string {
  const names = [model, provider, upstreamModel].filter((name) => name !== "");
  return names.length === 0 ? "everything" : names.join(" ");
}

function logHidden(log: Log, hidden: CatalogFile["hidden"], message: string): void {
  if (hidden.length === 0) return;
  const byReason = [...Map.groupBy(hidden, ({ reason }) => reason)].map(([reason, models]) => ({
    reason,
    models: [...new Set(models.map(({ id }) => id))],
  }));
  log.info({ byReason }, message);
}
