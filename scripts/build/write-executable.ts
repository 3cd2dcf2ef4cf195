// Packs an installation, with its packages and the built console, into one executable file for this system.
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `installation` is a folder as deploy/Dockerfile makes it. Returns the size of the file in bytes. */
export async function writeExecutable(installation: string, file: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-executable-"));
  try {
    const draft = join(folder, "archive");
    pack(installation, draft);
    const hash = createHash("sha256").update(readFileSync(draft)).digest("hex").slice(0, 12);
    const archive = join(folder, `turnpike-${hash}.gz`);
    renameSync(draft, archive);
    await Bun.build({
      entrypoints: [join(import.meta.dirname, "executable.ts"), archive],
      loader: { ".gz": "file" },
      compile: { outfile: file },
    });
    return Bun.file(file).size;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Files of packages are hard links: another installation on this machine changes how many there are, never their content,
 * and `tar` complains that the file has changed.
 */
function pack(folder: string, archive: string): void {
  const env = { ...process.env, LC_ALL: "C" };
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-czf", archive, "-C", folder, "."], { env });
  const complaints = stderr.toString().trim().split("\n");
  const isHarmless = complaints.every((line) => line.endsWith(": file changed as we read it"));
  if (exitCode !== 0 && !(exitCode === 1 && isHarmless)) throw new Error(complaints.join("\n"));
}
