// Reads of the console from a hot standby, while it is fresh: its lag is measured every second, without comparing clocks, by
// what it has replayed of the primary's log. A read that the replica ends is made on the primary.
import {
  type Connection,
  connectDatabase,
  type Db,
  errorCodeOf,
  isConnectionError,
} from "@turnpike/db";
import { type Log, type Metrics, startInterval } from "@turnpike/telemetry";
import type { Config } from "./config.ts";

/** Runs a read, which may be run again. */
export type Reads = <Result>(read: (db: Db) => Promise<Result>) => Promise<Result>;

export type Replica = {
  readonly read: Reads;
  /** Undefined while it is not known. */
  readonly lagMs: () => number | undefined;
  readonly close: () => Promise<void>;
};

/** A replica that is further behind is not read. */
export const lagMaxMs = 5_000;
/** A browser that changed something reads the primary for so long, on every instance. */
export const readOwnWritesSeconds = 10;

const measureEveryMs = 1_000;
/** An older measurement says nothing. */
const measuredMaxMs = 3_000;
const samplesMax = 120;
/** What a standby cancels because its primary removed rows that the read may need. */
const recoveryConflict = "40001";

/** What the primary had written when; `position` is in bytes. */
type Sample = { readonly position: bigint; readonly atMs: number };

export function openReplica(
  config: Pick<Config, "DATABASE_REPLICA_URL" | "DATABASE_POOL_CONSOLE">,
  primary: Connection,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): Replica | undefined {
  const { DATABASE_REPLICA_URL: url, DATABASE_POOL_CONSOLE: max } = config;
  if (url === undefined) return undefined;
  const applicationName = "turnpike replica";
  const replica = connectDatabase({ url, max, applicationName, answerTimeoutMs: 6_000 });
  const meter = connectDatabase({ url, max: 1, applicationName, answerTimeoutMs: 2_000 });
  let samples: readonly Sample[] = [];
  let firstPosition: bigint | undefined;
  let hasCaughtUp = false;
  let measured: { readonly lagMs: number; readonly atMs: number } | undefined;

  async function measure(): Promise<void> {
    const atMs = performance.now();
    const [written, replayed] = await Promise.all([
      queryPosition(primary, "pg_current_wal_lsn()"),
      queryPosition(meter, "pg_last_wal_replay_lsn()"),
    ]);
    // The oldest state that the replica may not have yet; it is kept, however far behind the replica is.
    const [oldest, ...later] = [...samples, { position: written, atMs }].filter(
      ({ position }) => position > replayed,
    );
    samples = oldest === undefined ? [] : [oldest, ...later.slice(-samplesMax)];
    // How far behind it was before this process looked is not known.
    hasCaughtUp ||= samples.length === 0 || (firstPosition ?? written) <= replayed;
    firstPosition ??= written;
    const lagMs = oldest === undefined ? 0 : performance.now() - oldest.atMs;
    measured = hasCaughtUp ? { lagMs, atMs } : undefined;
  }

  const lagMs = () =>
    measured !== undefined && performance.now() - measured.atMs < measuredMaxMs
      ? measured.lagMs
      : undefined;
  const isFresh = () => (lagMs() ?? Number.POSITIVE_INFINITY) <= lagMaxMs;
  metrics.watchReplica(() => lagMs());
  const loop = startInterval(measureEveryMs, measure, { job: "measure replica", log });
  void loop.runNow();
  return {
    lagMs,
    async read(read) {
      if (!isFresh()) return read(primary.db);
      try {
        return await read(replica.db);
      } catch (error) {
        if (!isConnectionError(error) && errorCodeOf(error) !== recoveryConflict) throw error;
        return read(primary.db);
      }
    },
    async close() {
      await loop.stop();
      await Promise.all([replica.close(), meter.close()]);
    },
  };
}

/** Throws where it has none, as a primary has replayed nothing. */
export async function queryPosition({ sql }: Connection, lsn: string): Promise<bigint> {
  const [row] = await sql.unsafe<{ position: string | null }[]>(
    `select (${lsn} - '0/0')::text as position`,
  );
  if (row?.position == null) throw new Error("DATABASE_REPLICA_URL is no standby of DATABASE_URL");
  return BigInt(row.position);
}
