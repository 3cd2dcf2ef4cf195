// Prepares virtual environments with Python packages in the temporary folder, where later runs find them. Returns the
// reason if Python or a package is not available.
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The newest version and an old one that many still use, with the packages of which pip must not
 * choose a newer version.
 */
const packagesOf = {
  "3.54.0": [],
  // Its HTTP client got an incompatible successor.
  "1.40.0": ["httpx==0.27.2"],
} as const satisfies Record<string, readonly string[]>;

export type OpenaiPythonVersion = keyof typeof packagesOf;

export type Python =
  | { readonly kind: "ready"; readonly path: string }
  | { readonly kind: "absent"; readonly reason: string };

export async function preparePython(version: OpenaiPythonVersion = "3.54.0"): Promise<Python> {
  return preparePackages(`openai-${version}`, [`openai==${version}`, ...packagesOf[version]]);
}

/** `name` is that of the environment: other packages need another one. */
export async function preparePackages(name: string, packages: readonly string[]): Promise<Python> {
  const python = Bun.which("python3");
  if (python === null) return { kind: "absent", reason: "there is no python3" };
  const folder = join(tmpdir(), `turnpike-python-${name}`);
  const path = join(folder, "bin/python");
  if (existsSync(join(folder, "complete"))) return { kind: "ready", path };
  const draft = `${folder}-${process.pid}`;
  try {
    await run([python, "-m", "venv", draft]);
    const pip = [join(draft, "bin/python"), "-m", "pip", "install", "--quiet"];
    await run([...pip, "--disable-pip-version-check", ...packages]);
    writeFileSync(join(draft, "complete"), "");
    adopt(draft, folder);
    return { kind: "ready", path };
  } catch (error) {
    return { kind: "absent", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Another run may have created it first, and uses it already; both are the same. */
function adopt(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch {
    if (existsSync(join(folder, "complete"))) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const printed = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return;
  throw new Error(`${command.slice(1, 4).join(" ")} failed: ${printed.trim().slice(-300)}`);
}
