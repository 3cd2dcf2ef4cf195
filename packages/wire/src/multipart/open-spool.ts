// Keeps the files of one call in memory up to a bound, and beyond it in temporary files. Such a file has no name as soon
// as it is open, so it is gone when it is closed, even if the process is killed.
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isDiskFull, overloaded } from "@turnpike/base";
import { Passage } from "./collect-chunks.ts";
import {
  bytesInMemory,
  ChunkList,
  type FileBytes,
  type FileStore,
  type FileWriter,
  headMaxBytes,
  headOf,
} from "./file-bytes.ts";

export type SpoolOptions = {
  /** Where temporary files are; it must exist. */
  readonly directory: string;
  /** Of all files of the call together. */
  readonly memoryMaxBytes?: number;
  /** Called before more is written to disk, and with a negative number once files are deleted; it may throw a Fault. */
  readonly onDisk?: (bytes: number) => void;
  /** Replaced by tests. */
  readonly writeFile?: WriteFile;
};

type WriteFile = (descriptor: number, bytes: Uint8Array, position: number) => Promise<void>;

export type Spool = FileStore & {
  /** Deletes all files, once what is being read of them has been; what is read later throws. */
  close(): Promise<void>;
};

// Descriptors and not `FileHandle`s: collected as garbage, one of those ends the process.
const open = promisify(fs.open);
const unlink = promisify(fs.unlink);
const close = promisify(fs.close);
const write = promisify(fs.write);
const read = promisify(fs.read);

const memoryMaxDefault = 1024 * 1024;
const readBytes = 256 * 1024;

type SpoolState = {
  memoryBytes: number;
  diskBytes: number;
  readonly directory: string;
  readonly memoryMaxBytes: number;
  readonly onDisk: (bytes: number) => void;
  readonly writeFile: WriteFile;
  readonly descriptors: number[];
  /** Reads and writes under way. */
  readonly running: Set<Promise<unknown>>;
  isClosed: boolean;
};

export function openSpool({
  directory,
  memoryMaxBytes = memoryMaxDefault,
  onDisk = () => undefined,
  writeFile = writeAll,
}: SpoolOptions): Spool {
  const state: SpoolState = {
    memoryBytes: 0,
    diskBytes: 0,
    directory,
    memoryMaxBytes,
    onDisk,
    writeFile,
    descriptors: [],
    running: new Set(),
    isClosed: false,
  };
  return {
    openFile: () => new SpoolWriter(state),
    get memoryBytes() {
      return state.memoryBytes;
    },
    close: () => closeSpool(state),
  };
}

/** A descriptor that is closed is soon another file, of somebody else's call. */
async function closeSpool(state: SpoolState): Promise<void> {
  state.isClosed = true;
  while (state.running.size > 0) await Promise.allSettled(state.running);
  const closing = state.descriptors.splice(0).map((descriptor) => close(descriptor));
  await Promise.allSettled(closing);
  const { diskBytes } = state;
  state.diskBytes = 0;
  if (diskBytes > 0) state.onDisk(-diskBytes);
  await Promise.all(closing);
}

/** Runs what uses a descriptor. */
async function whileOpen<T>(state: SpoolState, use: () => Promise<T>): Promise<T> {
  if (state.isClosed) throw new Error("the temporary files of this call are closed");
  const running = use();
  state.running.add(running);
  try {
    return await running;
  } finally {
    state.running.delete(running);
  }
}

class SpoolWriter implements FileWriter {
  readonly #list = new ChunkList();
  readonly #state: SpoolState;
  #descriptor: number | undefined;
  #head: Uint8Array = new Uint8Array();
  #size = 0;

  constructor(state: SpoolState) {
    this.#state = state;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#list.push(bytes);
    this.#state.memoryBytes += bytes.byteLength;
    const isOver = this.#state.memoryBytes > this.#state.memoryMaxBytes;
    if (this.#descriptor === undefined ? isOver : this.#list.size >= readBytes) await this.#flush();
  }

  async end(): Promise<FileBytes> {
    if (this.#descriptor === undefined) return bytesInMemory(this.#list);
    await this.#flush();
    const descriptor = this.#descriptor;
    const size = this.#size;
    const state = this.#state;
    return {
      size,
      head: this.#head,
      place: { kind: "file", descriptor },
      chunks: () => readChunks(state, descriptor, size),
    };
  }

  async #flush(): Promise<void> {
    const { size } = this.#list;
    const chunks = this.#list.take();
    if (this.#size < headMaxBytes) this.#head = headOf([this.#head, ...chunks]).slice();
    this.#state.onDisk(size);
    this.#state.diskBytes += size;
    await whileOpen(this.#state, () => this.#append(chunks)).catch((thrown) => {
      throw isDiskFull(thrown) ? overloaded("uploads", thrown) : thrown;
    });
    this.#state.memoryBytes -= size;
  }

  async #append(chunks: readonly Uint8Array[]): Promise<void> {
    this.#descriptor ??= await openUnnamed(this.#state);
    for (const chunk of chunks) {
      await this.#state.writeFile(this.#descriptor, chunk, this.#size);
      this.#size += chunk.byteLength;
    }
  }
}

async function openUnnamed({ directory, descriptors }: SpoolState): Promise<number> {
  const path = join(directory, `turnpike-${randomUUID()}`);
  const { O_RDWR, O_CREAT, O_EXCL } = fs.constants;
  const descriptor = await open(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
  descriptors.push(descriptor);
  await unlink(path);
  return descriptor;
}

async function writeAll(descriptor: number, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength; ) {
    const length = bytes.byteLength - written;
    const { bytesWritten } = await write(descriptor, bytes, written, length, position + written);
    written += bytesWritten;
  }
}

async function* readChunks(
  state: SpoolState,
  descriptor: number,
  size: number,
): AsyncGenerator<Uint8Array> {
  const passage = new Passage();
  try {
    for (let position = 0; position < size; ) {
      const chunk = new Uint8Array(Math.min(readBytes, size - position));
      const { bytesRead } = await whileOpen(state, () =>
        read(descriptor, chunk, 0, chunk.byteLength, position),
      );
      if (bytesRead === 0) throw new Error("a temporary file is shorter than what was written");
      passage.add(bytesRead);
      yield chunk.subarray(0, bytesRead);
      position += bytesRead;
    }
  } finally {
    passage.end();
  }
}
