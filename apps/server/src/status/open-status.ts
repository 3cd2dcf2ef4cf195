// Keeps what the public status is made from in memory, so that it is answered while the database is away, and says how
// old it is.
import type { CatalogInForce } from "@turnpike/catalog";
import type { Db, Listener } from "@turnpike/db";
import { persistStatus, type RouteHealthBook, type StatusTally } from "@turnpike/gateway";
import {
  type FiguresInForce,
  noFigures,
  queryStatus,
  type ReadStatus,
  statusChannel,
} from "@turnpike/reports";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";
import { presentStatus, type StatusDocument } from "./present-status.ts";

const readEveryMs = 30_000;

export type PublicStatus = {
  /** As of now, with the newest figures that could be read. */
  readonly present: () => StatusDocument & {
    readonly ageSeconds: number;
    readonly readAt: string | null;
  };
  /** Of models and routes, as read last. */
  readonly figures: FiguresInForce;
  /** What calls are counted in. */
  readonly tally: StatusTally;
  /** Stores what was counted, and reads what all instances have stored. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const nothing: ReadStatus = { days: [], incidents: [], routes: [], figures: noFigures };

export async function openStatus(options: {
  readonly db: Db;
  /** Closed by its owner. */
  readonly listener: Listener;
  readonly catalog: CatalogInForce;
  readonly routeHealth: RouteHealthBook;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "jobRan">;
}): Promise<PublicStatus> {
  const { db, listener, catalog, routeHealth, log, metrics } = options;
  const kept = persistStatus({ db, log, metrics });
  let read = nothing;
  let readAtMs: number | undefined;

  async function refresh(): Promise<void> {
    read = await queryStatus(db);
    readAtMs = Date.now();
  }

  const loop = startInterval(readEveryMs, refresh, { job: "read status", log, metrics });
  const onPublished = () => void loop.runNow();
  try {
    await listener.subscribe(statusChannel, { onMessage: onPublished, onReconnect: onPublished });
  } catch (error) {
    log.warn({ err: error }, "incidents are shown only when the status is read again");
  }
  // After the subscription: what is published from here on is announced.
  await loop.runNow();
  return {
    figures: {
      get current() {
        return read.figures;
      },
    },
    tally: kept.tally,
    present() {
      const now = new Date();
      const age = readAtMs === undefined ? 0 : now.getTime() - readAtMs;
      return {
        ageSeconds: Math.max(0, Math.round(age / 1_000)),
        readAt: readAtMs === undefined ? null : new Date(readAtMs).toISOString(),
        ...presentStatus({ read, catalog: catalog.current, routeHealth }, now),
      };
    },
    async refresh() {
      await kept.save();
      await loop.runNow();
    },
    async close() {
      await loop.stop();
      await kept.close();
    },
  };
}
