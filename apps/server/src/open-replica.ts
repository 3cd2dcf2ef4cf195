// Reads of the console from a hot standby, while it is fresh: its lag is measured every second, without comparing clocks, by
// what it has replayed of the primary's log. A read that is not answered there is made on the primary.
import { Fault } from "@turnpike/base";
import { type Connection, connectDatabase, type Db } from "@turnpike/db";
import { every, type Log, type Metrics } from "@turnpike/telemetry";
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
  let measured: { readonly lagMs: number; readonly atMs: number } | undefined;

  async function measure(): Promise<void> {
    const atMs = performance.now();
    const [written, replayed] = await Promise.all([
      readPosition(primary, "pg_current_wal_lsn()"),
      readPosition(meter, "pg_last_wal_replay_lsn()"),
    ]);
    samples = [...samples, { position: written, atMs }].slice(-120);
    // The oldest state that the replica may not have yet.
    const missing = samples.find(({ position }) => position > replayed);
    measured = { lagMs: missing === undefined ? 0 : performance.now() - missing.atMs, atMs };
    samples = samples.filter(({ position }) => position > replayed);
  }

  const lagMs = () =>
    measured !== undefined && performance.now() - measured.atMs < measuredMaxMs
      ? measured.lagMs
      : undefined;
  const isFresh = () => (lagMs() ?? Number.POSITIVE_INFINITY) <= lagMaxMs;
  metrics.watchReplica(() => lagMs());
  const loop = every(measureEveryMs, measure, { job: "measure replica", log });
  void loop.runNow();
  return {
    lagMs,
    async read(read) {
      if (!isFresh()) return read(primary.db);
      try {
        return await read(replica.db);
      } catch (error) {
        // An answer, and not a failure of the replica.
        if (error instanceof Fault) throw error;
        return read(primary.db);
      }
    },
    async close() {
      await loop.stop();
      await Promise.all([replica.close(), meter.close()]);
    },
  };
}

async function readPosition({ sql }: Connection, lsn: string): Promise<bigint> {
  const [row] = await sql.unsafe<{ position: string | null }[]>(
    `select (${lsn} - '0/0')::text as position`,
  );
  if (row?.position == null) throw new Error("DATABASE_REPLICA_URL is no standby of DATABASE_URL");
  return BigInt(row.position);
}
