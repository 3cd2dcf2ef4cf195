// Keeps the files of one call in memory up to a bound, and beyond it in temporary files. Such a file has no name as soon
// as it is open, so it is gone when it is closed, even if the process is killed.
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
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
};

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
  readonly directory: string;
  readonly memoryMaxBytes: number;
  readonly descriptors: number[];
  /** Reads and writes under way. */
  readonly running: Set<Promise<unknown>>;
  isClosed: boolean;
};

export function openSpool({ directory, memoryMaxBytes = memoryMaxDefault }: SpoolOptions): Spool {
  const state: SpoolState = {
    memoryBytes: 0,
    directory,
    memoryMaxBytes,
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
  await Promise.all(state.descriptors.splice(0).map((descriptor) => close(descriptor)));
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
    await whileOpen(this.#state, async () => {
      this.#descriptor ??= await openUnnamed(this.#state);
      for (const chunk of chunks) {
        await writeAll(this.#descriptor, chunk, this.#size);
        this.#size += chunk.byteLength;
      }
    });
    this.#state.memoryBytes -= size;
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
  for (let position = 0; position < size; ) {
    const chunk = new Uint8Array(Math.min(readBytes, size - position));
    const { bytesRead } = await whileOpen(state, () =>
      read(descriptor, chunk, 0, chunk.byteLength, position),
    );
    if (bytesRead === 0) throw new Error("a temporary file is shorter than what was written");
    yield chunk.subarray(0, bytesRead);
    position += bytesRead;
  }
}
