// For the tests of `bun dev`: creates a fresh copy of the repository, runs it as a user would, and finds
// the processes that are left afterwards.
import { afterAll, afterEach } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { freePort } from "@turnpike/testing";
import { readProcess } from "../process/read-process.ts";
import { root } from "../tidy/read-sources.ts";

/** What a clone would contain, plus what is not committed yet. Without installed packages. */
export function copyRepository(mode: number, prefix = "turnpike-dev-"): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
  if (listed.status !== 0) throw new Error("the repository's files cannot be listed without git");
  for (const path of listed.stdout.toString().split("\0")) {
    if (!path || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  chmodSync(folder, mode);
  return folder;
}

export type DevFacts = {
  baseUrl: string;
  consoleUrl: string;
  apiKey: string;
  email: string;
  password: string;
  databaseUrl: string;
  databaseOwnerUrl: string;
};

export type DevRun = {
  child: ChildProcess;
  dataDir: string;
  /** Everything it printed so far, both streams. */
  output(): string;
  /** Resolves when it is up; throws with its output when it ends instead. */
  ready(): Promise<DevFacts>;
  /** Its exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>;
};

type DevRunOptions = {
  folder: string;
  port: number;
  environment?: NodeJS.ProcessEnv;
  user?: { uid: number; gid: number };
  command?: readonly string[];
};

/** A copy for the tests of one file; what a test started in it has ended before the next one. */
export function openCopy({ mode = 0o755, prefix }: { mode?: number; prefix?: string } = {}) {
  const folder = copyRepository(mode, prefix);
  let runs: DevRun[] = [];
  afterEach(async () => {
    for (const { child } of runs) child.kill("SIGTERM");
    await Promise.all(runs.map(({ exited }) => exited));
    runs = [];
  }, 600_000);
  afterAll(() => removeCopy(folder), 600_000);
  const start = async (options: Partial<DevRunOptions> = {}) => {
    const run = startDev({ folder, port: await freePort(), ...options });
    runs.push(run);
    return run;
  };
  return { folder, start };
}

/** Starts `bun run dev` in its own process group, as a terminal does. */
function startDev(options: DevRunOptions): DevRun {
  const own = join(options.folder, "node_modules/bun/bin/bun.exe");
  const bun = existsSync(own) ? own : process.execPath;
  const [command = bun, ...args] = options.command ?? [bun, "run", "dev"];
  const environment: NodeJS.ProcessEnv = {
    ...cleanEnvironment(),
    PORT: String(options.port),
    ...options.environment,
  };
  const child = spawn(command, args, {
    cwd: options.folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...options.user,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();
  const exited = once(child, "exit").then(([code, signal]) => code ?? signal);
  const dataDir = resolve(options.folder, environment.DATA_DIR ?? ".data");
  const ready = async () => {
    while (!output().includes("Turnpike is up")) {
      const ended = await Promise.race([exited, Bun.sleep(50)]);
      if (ended !== undefined) throw new Error(`it ended with ${ended}: ${output()}`);
    }
    return readDevJson(dataDir);
  };
  return { child, dataDir, output, ready, exited };
}

/** The answer's text after pasting the printed command into a shell with `environment`. */
export async function pasteCurl(
  run: DevRun,
  environment: Record<string, string> = {},
): Promise<string> {
  const command = /^ {2}curl [\s\S]*?'$/m.exec(run.output())?.[0] ?? "";
  const shell = Bun.spawn(["sh", "-c", command], {
    env: { PATH: process.env.PATH, ...environment },
    stdout: "pipe",
    stderr: "ignore",
  });
  const answer = JSON.parse(await new Response(shell.stdout).text());
  return answer.choices[0].message.content;
}

/** Without the variables that `bun run test` sets for tests. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(TEST_|DATABASE_|DATA_DIR$|CATALOG_FILE$|NODE_ENV$|BUN_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Its shape is what run-dev.ts writes; a test compares the names. */
function readDevJson(dataDir: string): DevFacts {
  return JSON.parse(readFileSync(join(dataDir, "dev.json"), "utf8"));
}

/** Waits until nothing that was started from `folder` runs; returns what is still running after `ms`. */
export async function leftovers(folder: string, ms = 120_000): Promise<readonly string[]> {
  const deadline = Date.now() + ms;
  for (;;) {
    const left = runningFrom(folder);
    if (left.length === 0 || Date.now() > deadline) return left;
    await Bun.sleep(50);
  }
}

/** Kills the program of a run whose command line contains `file`. */
export function killProgram(folder: string, file: string): void {
  const found = runningFrom(folder).find(
    (line) => line.includes(file) && !line.includes("/bin/sh"),
  );
  process.kill(Number.parseInt(found ?? "", 10), "SIGKILL");
}

function runningFrom(folder: string): readonly string[] {
  const note = join(folder, ".data/postgres/elsewhere");
  const needles = existsSync(note) ? [folder, readFileSync(note, "utf8")] : [folder];
  return listPids().flatMap((pid) => {
    const line = readProcess(pid)?.command ?? "";
    const found = needles.some((needle) => line.includes(needle) || workingIn(pid, needle));
    return found ? [`${pid} ${line}`] : [];
  });
}

function listPids(): readonly number[] {
  if (existsSync("/proc/self/stat")) {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  }
  const { stdout } = spawnSync("ps", ["-axo", "pid="], { encoding: "utf8" });
  return stdout.trim().split(/\s+/).map(Number);
}

function workingIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    return false;
  }
}

/** Removes a copy and the database that root keeps for it elsewhere. */
export function removeCopy(folder: string): void {
  const note = join(folder, ".data/postgres/elsewhere");
  if (existsSync(note)) rmSync(readFileSync(note, "utf8"), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
