// Blobs as files of a folder, which all instances of an installation share. Only this process's user may read them, and an address
// never leads out of the folder.
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isDiskFull, overloaded } from "@turnpike/base";
import type { BlobSink, BlobStore } from "./blob-store.ts";

// Descriptors and not `FileHandle`s: collected as garbage, one of those ends the process.
const open = promisify(fs.open);
const close = promisify(fs.close);
const write = promisify(fs.write);
const read = promisify(fs.read);
const sync = promisify(fs.fsync);

const readBytes = 256 * 1024;

export function openFolderBlobs(folder: string): BlobStore {
  const pathOf = (address: string) => {
    if (!/^[0-9a-f]{32}$/.test(address)) throw new Error("this is no address of a blob");
    return join(folder, address.slice(0, 2), address);
  };
  return {
    memoryBytes: readBytes,
    async create(address) {
      const path = pathOf(address);
      await fs.promises.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants;
      return sinkOf(await open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600), dirname(path));
    },
    read: (address) => readFile(pathOf(address)),
    async remove(address) {
      await fs.promises.rm(pathOf(address), { force: true });
    },
  };
}

/** Rejects with the system's error if this process may not write there. A folder that does not exist is not made. */
export async function checkFolder(folder: string): Promise<void> {
  const { W_OK, X_OK } = fs.constants;
  if (!fs.existsSync(folder)) {
    const parent = dirname(folder);
    if (parent !== folder) await checkFolderAbove(parent);
    return;
  }
  await fs.promises.access(folder, W_OK | X_OK);
  // What the rights do not say: that the file system is read-only, or full.
  const probe = join(folder, `.check-${randomBytes(16).toString("hex")}`);
  try {
    await fs.promises.writeFile(probe, "check", { flag: "wx", mode: 0o600 });
  } finally {
    await fs.promises.rm(probe, { force: true });
  }
}

/** It has to be possible to make the folder. */
async function checkFolderAbove(folder: string): Promise<void> {
  if (!fs.existsSync(folder) && dirname(folder) !== folder)
    return checkFolderAbove(dirname(folder));
  await fs.promises.access(folder, fs.constants.W_OK | fs.constants.X_OK);
}

function sinkOf(descriptor: number, directory: string): BlobSink {
  let isOpen = true;
  /** A descriptor that is closed is soon another file. */
  const closeOnce = async () => {
    if (!isOpen) return;
    isOpen = false;
    await close(descriptor);
  };
  return {
    async write(bytes) {
      try {
        for (let at = 0; at < bytes.byteLength; ) {
          at += (await write(descriptor, bytes, at, bytes.byteLength - at, null)).bytesWritten;
        }
      } catch (thrown) {
        throw isDiskFull(thrown) ? overloaded("uploads", thrown) : thrown;
      }
    },
    async end() {
      try {
        await sync(descriptor);
      } finally {
        await closeOnce();
      }
      await syncDirectory(directory);
    },
    abort: closeOnce,
  };
}

/** Without it the name of a file may be gone after a crash, though its bytes are there. */
async function syncDirectory(directory: string): Promise<void> {
  const descriptor = await open(directory, fs.constants.O_RDONLY);
  try {
    await sync(descriptor);
  } finally {
    await close(descriptor);
  }
}

/** A file that is removed while it is read is read to its end. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const descriptor = await open(path, fs.constants.O_RDONLY);
  try {
    for (;;) {
      const chunk = new Uint8Array(readBytes);
      const { bytesRead } = await read(descriptor, chunk, 0, readBytes, null);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await close(descriptor);
  }
}
