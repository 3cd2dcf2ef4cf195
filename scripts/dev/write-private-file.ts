// Writes a file that only its owner may read. It is renamed into place, so no reader sees half of it.
import { renameSync, rmSync, writeFileSync } from "node:fs";

export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
