// Follows the catalogue that was applied elsewhere, by SIGHUP to another instance or by an operator:
// at once by notification, and within ten seconds by asking where none arrives.
import { catalogChannel, readAppliedVersion } from "@turnpike/catalog";
import { type ChannelListener, type Db, listenChannel } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";

const askEveryMs = 10_000;

export type CatalogWatch = { readonly close: () => Promise<void> };

export async function watchCatalog(options: {
  readonly db: Db;
  /** A connection string without a transaction pooler in between. */
  readonly directUrl: string;
  /** Gets the version applied last, again and again. */
  readonly follow: (version: string) => Promise<void>;
  readonly log: Log;
}): Promise<CatalogWatch> {
  const { db, follow, log } = options;
  let running: Promise<void> | undefined;

  async function check(): Promise<void> {
    try {
      const version = await readAppliedVersion(db);
      if (version !== undefined) await follow(version);
    } catch (error) {
      log.warn({ err: error }, "cannot follow the catalogue: the present one stays in force");
    }
  }

  const start = () => {
    running ??= check().finally(() => {
      running = undefined;
    });
  };
  const listener = await listen(options.directUrl, start, log);
  const timer = setInterval(start, askEveryMs);
  return {
    async close() {
      clearInterval(timer);
      await listener?.close().catch(() => undefined);
      await running;
    },
  };
}

async function listen(
  url: string,
  onChange: () => void,
  log: Log,
): Promise<ChannelListener | undefined> {
  try {
    return await listenChannel({
      url,
      channel: catalogChannel,
      onMessage: onChange,
      onGap: onChange,
    });
  } catch (error) {
    log.warn({ err: error }, "changes of the catalogue do not arrive; asking every ten seconds");
    return undefined;
  }
}
