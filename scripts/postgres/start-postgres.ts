// Starts a real PostgreSQL from npm's binaries in its own folder, and stops it when this process ends.
// A cluster without its `ready` mark was not completed and is created again.
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { freePort } from "@turnpike/testing";
import { readProcess } from "../process/read-process.ts";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";
import {
  appRole,
  createCluster,
  databaseName,
  ownerRole,
  type Passwords,
} from "./create-cluster.ts";
import { type PostgresPlace, placePostgres } from "./place-postgres.ts";

export type RunningPostgres = {
  port: number;
  /** Migrates and owns every table; may create databases, is not a superuser. */
  ownerUrl: string;
  /** The less privileged role the server runs as. */
  appUrl: string;
  appPassword: string;
  /** Where the data actually is; see place-postgres.ts. */
  home: string;
  /** Resolves when PostgreSQL has ended, for any reason. */
  exited: SupervisedProcess["exited"];
  stop(): Promise<void>;
};

export type PostgresOptions = {
  home: string;
  /** False only for the temporary data of tests: without fsync, otherwise the same. */
  durable?: boolean;
  /** Default: any that is free. */
  port?: number;
};

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "128MB",
  shared_preload_libraries: "",
  fsync: "on",
  synchronous_commit: "on",
  max_wal_size: "1GB",
  timezone: "UTC",
  log_checkpoints: "off",
} as const;

/** Without durability, and with connections for as many servers as parallel test files start. */
const settingsOfTests = { fsync: "off", full_page_writes: "off", max_connections: "500" };

/** Generous, because a machine may be busy; a server that ends is noticed immediately. */
const startTimeoutMs = 120_000;

/** Throws an Error with a message for the person at the terminal. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const place = placePostgres(options.home);
  const cluster = join(place.home, "cluster");
  await stopLeftover(cluster);
  const passwords = readPasswords(place);
  const ready = join(place.home, "ready");
  if (!existsSync(ready)) {
    rmSync(cluster, { recursive: true, force: true });
    createCluster(place, cluster, passwords);
    writeFileSync(ready, "");
  }
  const { port, server } = await startServer(place, cluster, options);
  const url = (role: string, password: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${databaseName}`;
  return {
    port,
    ownerUrl: url(ownerRole, passwords.owner),
    appUrl: url(appRole, passwords.app),
    appPassword: passwords.app,
    home: place.home,
    exited: server.exited,
    stop: server.stop,
  };
}

function readPasswords(place: PostgresPlace): Passwords {
  const path = join(place.home, "passwords.json");
  if (existsSync(join(place.home, "ready"))) {
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch {
      throw new Error(
        `${path} is unreadable: remove ${place.home} to start with an empty database.`,
      );
    }
  }
  const password = () => randomBytes(24).toString("hex");
  const passwords = { owner: password(), app: password(), superuser: password() };
  writeFileSync(path, JSON.stringify(passwords), { mode: 0o600 });
  chmodSync(path, 0o600);
  if (place.user) chownSync(path, place.user.uid, place.user.gid);
  return passwords;
}

async function startServer(place: PostgresPlace, cluster: string, options: PostgresOptions) {
  const durable = options.durable ?? true;
  const log = join(place.home, "postgres.log");
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = options.port ?? (await freePort());
    const server = launch(place, cluster, port, durable, log);
    if (await isReady(cluster, server)) return { port, server };
    await server.stop();
  }
  const lastLines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-3).join(" | ");
  throw new Error(`PostgreSQL did not start in ${place.home}: ${lastLines}`);
}

function launch(
  place: PostgresPlace,
  cluster: string,
  port: number,
  durable: boolean,
  log: string,
): SupervisedProcess {
  const chosen = durable ? settings : { ...settings, ...settingsOfTests };
  const switches = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const file = openSync(log, "w", 0o600);
  try {
    const program = join(place.binaries, "postgres");
    const command = [program, "-D", cluster, "-p", String(port), ...switches];
    return startSupervised(command, file, { cwd: cluster, ...place.user });
  } finally {
    closeSync(file);
  }
}

/** PostgreSQL writes its state into line 8 of postmaster.pid. */
async function isReady(cluster: string, server: SupervisedProcess): Promise<boolean> {
  let ended = false;
  void server.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + startTimeoutMs;
  while (!ended && Date.now() < deadline) {
    if (readPostmaster(cluster)?.state === "ready") return true;
    await Bun.sleep(20);
  }
  return false;
}

function readPostmaster(cluster: string): { pid: number; state: string } | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), state: (lines[7] ?? "").trim() };
  } catch {
    return undefined;
  }
}

/**
 * Waits for a PostgreSQL that a killed run left on this data and that is about to end, and removes
 * its postmaster.pid. By now the process id in it may belong to another program.
 */
async function stopLeftover(cluster: string): Promise<void> {
  const pid = readPostmaster(cluster)?.pid ?? 0;
  const isRunning = () => readProcess(pid)?.command.includes(`-D ${cluster} `);
  const started = Date.now();
  for (let signal: NodeJS.Signals = "SIGINT"; isRunning(); await Bun.sleep(50)) {
    if (Date.now() > started + 60_000) throw new Error(`PostgreSQL ${pid} does not end.`);
    if (Date.now() > started + 5_000) signal = "SIGQUIT";
    process.kill(pid, signal);
  }
  rmSync(join(cluster, "postmaster.pid"), { force: true });
}
