// A PostgreSQL that can be stopped, frozen and started again on the same port and data, for tests and the
// soak: what it had committed is there after every restart.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import { type RunningPostgres, startPostgres } from "./start-postgres.ts";

export type OwnCluster = {
  readonly postgres: RunningPostgres;
  /** The database `postgres` as the superuser. */
  readonly superuserUrl: string;
  readonly admin: Connection;
  readonly postmasterPid: () => number;
  /** What `pg_ctl stop` does, with `-m fast` (SIGINT) or `-m immediate` (SIGQUIT). */
  readonly stop: (signal: "SIGINT" | "SIGQUIT") => Promise<void>;
  /** Resolves when the running PostgreSQL has ended, for any reason. */
  readonly ended: () => Promise<unknown>;
  /** Starts one that has ended again, on the same port. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openCluster(options: { durable: boolean }): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-cluster-"));
  chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
  const postgres = await startPostgres({ home: join(folder, "postgres"), ...options });
  let running = postgres;
  const postmasterPid = () =>
    Number.parseInt(readFileSync(join(postgres.home, "cluster/postmaster.pid"), "utf8"), 10);
  const { superuser } = JSON.parse(readFileSync(join(postgres.home, "passwords.json"), "utf8"));
  const url = `postgres://postgres:${superuser}@127.0.0.1:${postgres.port}/postgres`;
  const admin = connectDatabase({ url, max: 1, applicationName: "test" });
  return {
    postgres,
    superuserUrl: url,
    admin,
    postmasterPid,
    async stop(signal) {
      process.kill(postmasterPid(), signal);
      await running.exited;
    },
    ended: () => running.exited,
    async start() {
      running = await startPostgres({ home: postgres.home, port: postgres.port, ...options });
    },
    async close() {
      await admin.close();
      await running.stop();
      rmSync(postgres.home, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
