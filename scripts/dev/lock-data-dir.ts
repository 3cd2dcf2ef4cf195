// Lets only one `bun dev` at a time use a data folder. The lock is SQLite's on an empty file, which the
// operating system releases when its process ends in any way.
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Holds the lock until it is disposed of. Throws an Error whose message is one sentence. */
export function lockDataDir(dataDir: string, url: string): Disposable {
  mkdirSync(dataDir, { recursive: true });
  const holderFile = join(dataDir, "dev.lock");
  const lock = new Database(join(dataDir, "dev.lock.sqlite"));
  try {
    lock.run("BEGIN EXCLUSIVE");
  } catch {
    const holder = readFileSync(holderFile, "utf8");
    throw new Error(
      `Turnpike already runs on ${dataDir}: ${holder} - stop it first, or set DATA_DIR and PORT for a second copy.`,
    );
  }
  writeFileSync(holderFile, `process ${process.pid}, ${url}`);
  return lock;
}
