// Creates an empty PostgreSQL cluster with Turnpike's database and its two roles, before any server
// listens: no client can connect to an incomplete one.
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PostgresPlace } from "./place-postgres.ts";

export type Passwords = { owner: string; app: string; superuser: string };

export const databaseName = "turnpike";
export const ownerRole = "turnpike_owner";
export const appRole = "turnpike_app";

export function createCluster(place: PostgresPlace, cluster: string, passwords: Passwords): void {
  const copied = copyForShell(place.binaries);
  try {
    fillCluster({ ...place, binaries: copied ?? place.binaries }, cluster, passwords);
  } finally {
    if (copied !== undefined) rmSync(dirname(dirname(copied)), { recursive: true, force: true });
  }
}

/**
 * initdb starts `postgres` through a shell and only puts double quotes around its path. If the
 * path has characters that a shell interprets inside those, initdb runs from a temporary copy.
 */
function copyForShell(binaries: string): string | undefined {
  if (!/["$`\\\n]/.test(binaries)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "turnpike-initdb-"));
  chmodSync(folder, 0o755); // For the user that PostgreSQL runs as when this process is root.
  cpSync(dirname(binaries), join(folder, "native"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "native/bin");
}

function fillCluster(place: PostgresPlace, cluster: string, passwords: Passwords): void {
  const runner = runInitdb(place, cluster, passwords.superuser);
  const statements = [
    `CREATE ROLE ${ownerRole} LOGIN CREATEDB PASSWORD '${passwords.owner}';`,
    `GRANT pg_signal_backend, pg_monitor TO ${ownerRole};`,
    `CREATE ROLE ${appRole} LOGIN PASSWORD '${passwords.app}';`,
    `CREATE DATABASE ${databaseName} OWNER ${ownerRole};`,
  ];
  // In single-user mode each line is a statement.
  const args = ["--single", "-D", cluster, "-c", "exit_on_error=on", "postgres"];
  const made = run(place, runner, "postgres", args, `${statements.join("\n")}\n`);
  if (made.status !== 0) throw new Error(`PostgreSQL's roles could not be created: ${made.output}`);
}

/** What precedes a program of PostgreSQL on the command line. */
type Runner = readonly string[];

/**
 * A container may run this under a uid without a name; PostgreSQL requires one here. In a separate user
 * namespace it sees the uid of `nobody`, while the files are still created as ours.
 */
const asNobody: Runner = ["unshare", "--user", "--map-user=65534", "--map-group=65534"];

/** Returns the runner that worked. */
function runInitdb(place: PostgresPlace, cluster: string, password: string): Runner {
  const passwordFile = join(place.home, "superuser-password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
  const args = [
    "-D",
    cluster,
    "-U",
    "postgres",
    "--pwfile",
    passwordFile,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-locale",
    "--no-instructions",
  ];
  const first = run(place, [], "initdb", args);
  const nameless = first.output.includes("could not look up effective user ID");
  if (nameless) rmSync(cluster, { recursive: true, force: true });
  const made = nameless ? run(place, asNobody, "initdb", args) : first;
  rmSync(passwordFile);
  if (made.status === 0) return nameless ? asNobody : [];
  throw new Error(
    nameless
      ? `PostgreSQL needs the user id ${process.getuid?.()} to have a name in /etc/passwd; or set DATABASE_URL to a database that already runs.`
      : `PostgreSQL's initdb failed: ${made.output}`,
  );
}

function run(
  place: PostgresPlace,
  runner: Runner,
  program: string,
  args: readonly string[],
  input = "",
) {
  const [command = program, ...words] = [...runner, join(place.binaries, program), ...args];
  const result = spawnSync(command, words, {
    input,
    encoding: "utf8",
    cwd: place.home,
    // The messages matched above are in English for any locale of the terminal.
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    ...place.user,
  });
  const output = `${result.error?.message ?? ""}${result.stderr ?? ""}`.trim();
  return { status: result.status, output };
}
