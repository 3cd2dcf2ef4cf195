// One PostgreSQL of a Citus cluster: created once, then killed and started again on the same port and data. It
// listens on loopback only and asks for no password, so its data must be nothing but a test's.
import { spawnSync } from "node:child_process";
import { appendFileSync, closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@turnpike/db";
import { freePort } from "@turnpike/testing";
import { databaseName } from "../postgres/create-cluster.ts";
import { placePostgres } from "../postgres/place-postgres.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";

export type CitusNode = {
  readonly port: number;
  readonly url: string;
  readonly postmasterPid: () => number;
  /** Ends its processes at once and waits until they have ended. */
  readonly kill: () => Promise<void>;
  /** Starts one that has ended. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_preload_libraries: "citus",
  max_connections: "300",
  max_prepared_transactions: "300",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
  // Shards are moved by logical replication, while they are written.
  wal_level: "logical",
  max_replication_slots: "50",
  max_wal_senders: "50",
  timezone: "UTC",
  log_checkpoints: "off",
  // The trigger on `requests` reads nothing but its row.
  "citus.enable_unsafe_triggers": "on",
  // Until a commit that a crash interrupted is completed, its rows on the workers stay locked.
  "citus.recover_2pc_interval": "2s",
} as const;

const startTimeoutMs = 60_000;

export async function startCitusNode(binaries: string, folder: string): Promise<CitusNode> {
  const { home, user } = placePostgres(folder);
  const data = join(home, "cluster");
  const args = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  const made = spawnSync(join(binaries, "initdb"), args, {
    ...user,
    cwd: home,
    encoding: "utf8",
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  appendFileSync(join(data, "postgresql.conf"), `${lines.join("\n")}\n`);
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}`;
  let running: SupervisedProcess | undefined;
  const start = async () => {
    const log = openSync(join(home, "postgres.log"), "a", 0o600);
    try {
      const command = [join(binaries, "postgres"), "-D", data, "-p", String(port)];
      // Connections between nodes look for certificates in the home directory.
      const env = { PATH: process.env.PATH, LC_ALL: "C", HOME: home };
      running = startSupervised(command, log, { cwd: data, env, ...user });
    } finally {
      closeSync(log);
    }
    await awaitReady(`${url}/postgres`);
  };
  await start();
  await runSql(`${url}/postgres`, (sql) => sql.unsafe(`create database ${databaseName}`));
  await runSql(`${url}/${databaseName}`, (sql) => sql.unsafe("create extension citus"));
  return {
    port,
    url: `${url}/${databaseName}`,
    postmasterPid: () => Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10),
    async kill() {
      // Its group: a server process that outlived the postmaster would keep the data from the next one.
      if (running?.child.pid !== undefined) process.kill(-running.child.pid, "SIGKILL");
      await running?.exited;
    },
    start,
    stop: async () => running?.stop(),
  };
}

async function runSql(url: string, use: (sql: Sql) => Promise<unknown>): Promise<void> {
  const connection = connectDatabase({
    url,
    max: 1,
    applicationName: "turnpike citus",
    // Making a database and its extension takes longer than a statement of a call may, on a busy machine.
    statementTimeoutMs: 600_000,
  });
  try {
    await use(connection.sql);
  } finally {
    await connection.close();
  }
}

async function awaitReady(url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await runSql(url, (sql) => sql`select 1`);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await Bun.sleep(100);
    }
  }
}
