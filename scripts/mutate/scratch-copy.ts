// A copy of the repository to change files in, so that the working tree is never touched. It has the
// files that git tracks or would add, and its own installed packages, because packages find each other by
// links.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type ScratchCopy = { readonly root: string; readonly remove: () => void };

export function copyRepository(root: string): ScratchCopy {
  const copy = mkdtempSync(join(tmpdir(), "turnpike-mutate-"));
  const files = read(root, ["git", "ls-files", "-z", "-co", "--exclude-standard"]).split("\0");
  const deleted = new Set(read(root, ["git", "ls-files", "-z", "-d"]).split("\0"));
  for (const file of files) {
    if (file === "" || deleted.has(file)) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  read(copy, [process.execPath, "install", "--frozen-lockfile", "--silent"]);
  return { root: copy, remove: () => rmSync(copy, { recursive: true, force: true }) };
}

function read(cwd: string, command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode === 0) return stdout.toString();
  throw new Error(`${command.join(" ")} failed: ${stderr}`);
}
