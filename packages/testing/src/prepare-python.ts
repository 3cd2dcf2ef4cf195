// Prepares a virtual environment with the official Python package, once per version, in the temporary
// folder. Returns the reason where Python or the package is not available.
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const version = "3.52.0";

export type Python =
  | { readonly kind: "ready"; readonly path: string }
  | { readonly kind: "absent"; readonly reason: string };

export async function preparePython(): Promise<Python> {
  const python = Bun.which("python3");
  if (python === null) return { kind: "absent", reason: "there is no python3" };
  const folder = join(tmpdir(), `turnpike-python-openai-${version}`);
  const path = join(folder, "bin/python");
  if (existsSync(join(folder, "complete"))) return { kind: "ready", path };
  const draft = `${folder}-${process.pid}`;
  try {
    await run([python, "-m", "venv", draft]);
    const pip = [join(draft, "bin/python"), "-m", "pip", "install", "--quiet"];
    await run([...pip, "--disable-pip-version-check", `openai==${version}`]);
    writeFileSync(join(draft, "complete"), "");
    adopt(draft, folder);
    return { kind: "ready", path };
  } catch (error) {
    return { kind: "absent", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Another run may have created it first; both are the same. */
function adopt(draft: string, folder: string): void {
  if (existsSync(join(folder, "complete"))) return;
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const printed = await new Response(child.stderr).text();
  if ((await child.exited) === 0) return;
  throw new Error(`${command.slice(1, 4).join(" ")} failed: ${printed.trim().slice(-300)}`);
}
