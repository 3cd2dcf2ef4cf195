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
    const packed = Bun.spawnSync(["tar", "-czf", draft, "-C", installation, "."]);
    if (packed.exitCode !== 0) throw new Error(packed.stderr.toString());
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
