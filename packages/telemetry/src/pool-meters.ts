// The connections of this process to PostgreSQL and the lag of its replica, read at each scrape. The pools are our own, so the
// number of series is bounded.
import { Gauge, type Registry } from "prom-client";

export type PoolFigures = {
  readonly pool: string;
  readonly max: number;
  readonly idle: number;
  readonly busy: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
};

export type PoolMeters = {
  /** `read` is called at each scrape; undefined while the lag is not known. */
  watchReplica(readLagMs: () => number | undefined): void;
  /** `read` is called at each scrape. */
  watchPools(read: () => Iterable<PoolFigures>): void;
};

export function createPoolMeters(registry: Registry): PoolMeters {
  const registers = [registry];
  let readPools: () => Iterable<PoolFigures> = () => [];
  new Gauge({
    name: "turnpike_database_connections",
    help: "Open connections to PostgreSQL, by pool and state: idle, busy.",
    labelNames: ["pool", "state"] as const,
    registers,
    collect() {
      for (const { pool, idle, busy } of readPools()) {
        this.set({ pool, state: "idle" }, idle);
        this.set({ pool, state: "busy" }, busy);
      }
    },
  });
  const gauge = (name: string, help: string, figure: (pool: PoolFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"] as const,
      registers,
      collect() {
        for (const figures of readPools()) this.set({ pool: figures.pool }, figure(figures));
      },
    });
  gauge("turnpike_database_connections_max", "Connections a pool may open.", ({ max }) => max);
  gauge(
    "turnpike_database_statements_waiting",
    "Statements that wait for a connection of a pool.",
    ({ waiting }) => waiting,
  );
  let readLagMs: () => number | undefined = () => Number.NaN;
  new Gauge({
    name: "turnpike_replica_lag_seconds",
    help: "How far DATABASE_REPLICA_URL is behind; +Inf while that is not known, NaN without a replica.",
    registers,
    collect() {
      this.set((readLagMs() ?? Number.POSITIVE_INFINITY) / 1_000);
    },
  });
  return {
    watchReplica(read) {
      readLagMs = read;
    },
    watchPools(read) {
      readPools = read;
    },
  };
}
