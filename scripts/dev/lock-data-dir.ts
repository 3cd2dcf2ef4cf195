// Lets only one `bun dev` at a time use a data folder. The lock is SQLite's on an empty file, which the
// operating system releases when its process ends in any way.
import { Database } from "bun:sqlite";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./write-private-file.ts";

/** Returns a function that releases it. Throws an Error whose message is one sentence. */
export function lockDataDir(dataDir: string, url: string): () => void {
  makeFolder(dataDir);
  const holderFile = join(dataDir, "dev.lock");
  const lock = new Database(join(dataDir, "dev.lock.sqlite"));
  try {
    lock.run("BEGIN EXCLUSIVE");
  } catch {
    throw new Error(
      `Turnpike already runs on ${dataDir}: ${readFileSync(holderFile, "utf8")} - stop it first, ` +
        "or set DATA_DIR and PORT for a second copy.",
    );
  }
  writePrivateFile(holderFile, `process ${process.pid}, ${url}`);
  return () => {
    rmSync(holderFile, { force: true });
    lock.close();
  };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(",")[0] : String(error);
    throw new Error(`The data folder ${dataDir} cannot be created (${reason}): set DATA_DIR.`);
  }
}
