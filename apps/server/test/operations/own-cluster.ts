// A separate PostgreSQL for a test that creates roles or starts from nothing: roles belong to the
// whole cluster, so the one that all tests share cannot be used.
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connectDatabase } from "@turnpike/db";
import { freePort } from "@turnpike/testing";
import { type OwnCluster, openCluster } from "../../../../scripts/postgres/open-cluster.ts";
import { startSupervised } from "../../../../scripts/process/start-supervised.ts";
import { eventually } from "../money/read-requests.ts";
import { adapt, findProgram, readBlock } from "./read-documented.ts";

export { type OwnCluster, openCluster };

export type InstalledCluster = Pick<OwnCluster, "admin" | "close"> & {
  readonly postgres: { readonly port: number };
};

export type InstalledOptions = {
  /** `name=value`, besides those of every test. */
  readonly settings?: readonly string[];
  /** Default: an empty cluster. */
  readonly fillData?: (data: string) => void;
};

/** The same with the programs of an installed PostgreSQL, in `binaries`. */
export async function openInstalledCluster(
  binaries: string,
  { settings: chosen = [], fillData }: InstalledOptions = {},
): Promise<InstalledCluster> {
  const home = mkdtempSync(join(tmpdir(), "turnpike-installed-"));
  // PostgreSQL does not run as root; 65534 is nobody.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  if (user) chownSync(home, user.uid, user.gid);
  const data = join(home, "data");
  if (fillData === undefined) {
    const made = spawnSync(
      join(binaries, "initdb"),
      ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"],
      { cwd: home, encoding: "utf8", ...user },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  } else {
    fillData(data);
    if (user) spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, data]);
  }
  const port = await freePort();
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "fsync=off",
    ...chosen,
  ];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
  const command = [join(binaries, "postgres"), ...args];
  const running = startSupervised(command, "pipe", { cwd: home, ...user });
  let said = "";
  running.child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const admin = connectDatabase({
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    max: 1,
    applicationName: "test",
  });
  await eventually("PostgreSQL to answer", async () => {
    if (running.child.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
    // While it recovers from a backup it is read-only.
    return admin.sql<{ ready: boolean }[]>`select not pg_is_in_recovery() as ready`.then(
      ([row]) => row?.ready,
      () => false,
    );
  });
  return {
    postgres: { port },
    admin,
    async close() {
      await admin.close();
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * The folder of the oldest installed and documented PostgreSQL that has the server and these client programs, which
 * npm's PostgreSQL lacks.
 */
export function findInstalled(...programs: readonly string[]): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
  const folders = versions
    .filter((version) => version >= 15)
    .sort((a, b) => a - b)
    .map((version) => join(debian, String(version), "bin"));
  const inPath = findProgram("initdb");
  if (inPath !== undefined) folders.push(dirname(inPath));
  const needed = ["initdb", "postgres", ...programs];
  return folders.find((folder) => needed.every((name) => existsSync(join(folder, name))));
}

/** Removes the cluster's database and roles. */
export async function dropRoles({ admin }: OwnCluster): Promise<void> {
  await admin.sql.unsafe("drop database if exists turnpike with (force)");
  await admin.sql.unsafe("drop role if exists turnpike_app, turnpike_owner");
}

const ownerPassword = "owner-password";
const appPassword = "app-password";

/** Runs the documented SQL; `only` chooses statements. Resolves with the two URLs. */
export async function createRoles(
  { admin, postgres }: InstalledCluster,
  only: (statement: string) => boolean = () => true,
): Promise<{ ownerUrl: string; appUrl: string }> {
  const sql = adapt(readBlock("Roles", "sql"), {
    ":'owner_password'": `'${ownerPassword}'`,
    ":'app_password'": `'${appPassword}'`,
  });
  // One by one, like psql: CREATE DATABASE must not be in a transaction.
  for (const statement of sql.split(";").filter((one) => one.trim() !== "" && only(one))) {
    await admin.sql.unsafe(statement);
  }
  const url = (role: string, password: string) =>
    `postgres://${role}:${password}@127.0.0.1:${postgres.port}/turnpike`;
  return {
    ownerUrl: url("turnpike_owner", ownerPassword),
    appUrl: url("turnpike_app", appPassword),
  };
}
