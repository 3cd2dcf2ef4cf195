// Makes a fresh clone runnable: installs what bun.lock lists and continues on the pinned Bun. It uses
// only built-in modules, and every script calls it before it imports anything that is installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const modules = join(root, "node_modules");
const stampFile = join(modules, ".turnpike-installed");
const installTimeoutMs = 15 * 60_000;

/**
 * Returns only in a process of the pinned Bun that sees every dependency. Otherwise it installs, runs
 * this same command line again on that Bun, and exits with its exit code.
 */
export async function installDependencies(): Promise<void> {
  if (typeof Bun === "undefined") giveUp("This runs on Bun: start it with `npx bun dev`.");
  const stamp = readStamp();
  const installed = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (installed && Bun.version === pinnedVersion()) return;
  if (!installed) {
    await install();
    writeFileSync(stampFile, stamp);
  }
  process.exit(await runAgain());
}

/** Changes whenever the packages to install, or a patch of one, change. */
function readStamp(): string {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  const patches = existsSync(join(root, "patches")) ? readdirSync(join(root, "patches")) : [];
  const files = ["bun.lock", "package.json", ...patches.map((name) => join("patches", name))];
  for (const file of files) hash.update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function pinnedVersion(): string {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return String(packageManager).replace("bun@", "");
}

async function install(): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.error("Installing the packages of bun.lock ...");
  const timer = setInterval(() => console.error(`... still installing (${seconds()} s)`), 10_000);
  const { code, output } = await runInstall();
  clearInterval(timer);
  if (code !== 0) giveUp(explain(output));
  console.error(`Installed in ${seconds()} s.`);
}

function runInstall(): Promise<{ code: number; output: string }> {
  const args = ["install", "--frozen-lockfile", "--no-progress"];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: installTimeoutMs,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const forward = (signal: NodeJS.Signals) => {
    child.kill(signal);
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, forward);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, forward);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() });
    });
  });
}

const offline =
  /ConnectionRefused|FailedToOpenSocket|DNS|ENOTFOUND|ECONN|timed? ?out|Unable to connect/i;

function explain(output: string): string {
  const lines = output.split("\n").filter((line) => /error/i.test(line));
  const detail = (lines[0] ?? output.trim().split("\n").at(-1) ?? "").trim();
  if (/lockfile (had changes|is frozen)/i.test(output)) {
    return "bun.lock does not match package.json: run `bun install` once and try again.";
  }
  if (offline.test(output)) {
    return `The packages are not installed and the package registry cannot be reached (${detail}): connect to the network once and try again.`;
  }
  return `The packages could not be installed: ${detail}`;
}

async function runAgain(): Promise<number> {
  const bun = join(modules, "bun", "bin", "bun.exe");
  const version = existsSync(bun) ? spawnSync(bun, ["--version"], { encoding: "utf8" }) : undefined;
  if (version?.stdout?.trim() !== pinnedVersion()) {
    giveUp(
      `Bun ${pinnedVersion()} is not installed as expected: remove node_modules and try again.`,
    );
  }
  const child = spawn(bun, process.argv.slice(1), { stdio: "inherit", cwd: process.cwd() });
  // A terminal sends Ctrl-C to both processes; a supervisor's SIGTERM reaches only this one.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

function giveUp(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
