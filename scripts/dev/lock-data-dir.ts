// Lets one `bun dev` at a time use a data folder. The lock names its holder, so a lock left behind by
// a killed process is recognised, and a second copy can say who is in its way.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readProcess, stillRuns } from "../process/read-process.ts";
import { writePrivateFile } from "./write-private-file.ts";

type Holder = { pid: number; started: string; url: string };

/** Returns how to release it. Throws an Error whose message is one sentence. */
export function lockDataDir(dataDir: string, url: string): () => void {
  makeFolder(dataDir);
  const lock = join(dataDir, "dev.lock");
  const started = readProcess(process.pid)?.started ?? "";
  const mine = JSON.stringify({ pid: process.pid, started, url });
  const draft = join(dataDir, `dev.lock.of-${process.pid}`);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    writePrivateFile(draft, mine);
    // A link appears with its content or not at all, and never replaces what is there.
    const taken = tryLink(draft, lock);
    rmSync(draft, { force: true });
    if (taken) return () => release(lock, mine);
    refuseSecondCopy(lock, dataDir);
    setAside(lock, `${draft}-stale`);
  }
  throw new Error(`Another Turnpike is starting on ${dataDir} right now: try again.`);
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(",")[0] : String(error);
    throw new Error(`The data folder ${dataDir} cannot be made (${reason}): set DATA_DIR.`);
  }
}

function tryLink(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function refuseSecondCopy(lock: string, dataDir: string): void {
  const holder = readHolder(lock);
  if (!holder || !stillRuns(holder)) return;
  throw new Error(
    `Turnpike already runs on ${dataDir}: process ${holder.pid}, ${holder.url} - stop it first, ` +
      "or set DATA_DIR and PORT for a second copy.",
  );
}

function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, "utf8"));
  } catch {
    return undefined;
  }
}

/** Removes a dead holder's lock; puts back one that a quicker start took in between. */
function setAside(lock: string, aside: string): void {
  try {
    renameSync(lock, aside);
  } catch {
    return; // Somebody else did.
  }
  const holder = readHolder(aside);
  if (holder && stillRuns(holder)) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function release(lock: string, mine: string): void {
  try {
    if (readFileSync(lock, "utf8") === mine) rmSync(lock, { force: true });
  } catch {
    // The data folder was removed while we ran.
  }
}
