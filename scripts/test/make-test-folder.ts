// The folder of the PostgreSQL that tests use: in RAM where there is room for it, because cloning a database
// takes 15 ms there and half a second on a disk. It is named after its process, so that the next run removes
// what a killed one left behind.
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcess } from "../process/read-process.ts";

const ram = "/dev/shm";
const prefix = "turnpike-test-";

/** A whole run needs less than half of it. */
const roomBytes = 4 * 1024 ** 3;

export function makeTestFolder(): string {
  const parent = hasRoom() ? ram : tmpdir();
  removeLeftovers(parent);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  chmodSync(folder, 0o711); // As root, PostgreSQL runs as another user, who must be able to enter.
  return folder;
}

function hasRoom(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { bavail, bsize } = statfsSync(ram);
    return bavail * bsize >= roomBytes;
  } catch {
    return false;
  }
}

function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || readProcess(Number(pid)) !== undefined) continue;
    const path = join(parent, name);
    // Those of other people are theirs to remove.
    const { uid } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    if (uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
  }
}
