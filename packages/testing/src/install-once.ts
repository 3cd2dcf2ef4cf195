// Installs what tests need into the cache of the user, where later runs find it. A folder there is complete: it is
// filled under another name first, so that neither an interrupted installation nor a concurrent one leaves half of it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export type Installed =
  | { readonly kind: "ready"; readonly folder: string }
  | { readonly kind: "absent"; readonly reason: string };

/** Long enough for the largest program over a slow connection. */
const timeoutMs = 5 * 60_000;

/** `install` fills the given folder. `name` contains the version: what is installed is never replaced. */
export async function installOnce(
  name: string,
  install: (draft: string) => Promise<void>,
): Promise<Installed> {
  const cache = Bun.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "turnpike/clients", name);
  if (isComplete(folder)) return { kind: "ready", folder };
  const draft = `${folder}.${Bun.randomUUIDv7()}`;
  const started = performance.now();
  try {
    mkdirSync(draft, { recursive: true });
    await install(draft);
    writeFileSync(join(draft, "complete"), "");
    adopt(draft, folder);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`installed ${name} in ${seconds} s: ${folder}`);
    return { kind: "ready", folder };
  } catch (error) {
    return { kind: "absent", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function isComplete(folder: string): boolean {
  return existsSync(join(folder, "complete"));
}

/** Another run may have installed it first, and may be using it: both are the same, and its own stays. */
function adopt(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (isComplete(folder)) return;
    if (!existsSync(folder)) throw error;
    throw new Error(`${folder} is not complete: delete it`);
  }
}

/** Runs one step of an installation in its folder. Throws with the end of what it printed. */
export async function runInstaller(
  command: readonly string[],
  draft: string,
  limitMs: number = timeoutMs,
): Promise<void> {
  const log = join(draft, "install.log");
  const child = Bun.spawn([...command], {
    cwd: draft,
    env: { ...Bun.env },
    stdin: "ignore",
    // A file, because what a killed installer started may keep a pipe open.
    stdout: Bun.file(log),
    stderr: Bun.file(log),
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  const code = await child.exited;
  if (code === 0) return;
  const step = command.slice(1, 4).join(" ");
  if (child.signalCode === "SIGKILL") throw new Error(`${step} took over ${limitMs / 1000} s`);
  throw new Error(`${step} failed: ${readFileSync(log, "utf8").trim().slice(-300)}`);
}
