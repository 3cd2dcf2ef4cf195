// The contents of one uploaded file, held once: in the chunks they arrived in, or in a temporary file. They can be read
// any number of times, because a call may try several providers.

export type FileBytes = {
  readonly size: number;
  /** At least the first `headMaxBytes` of the file, or all of it. */
  readonly head: Uint8Array;
  /** Where the bytes are: a thread of this process reads a descriptor itself. */
  readonly place:
    | { readonly kind: "memory"; readonly chunks: readonly Uint8Array[] }
    | { readonly kind: "file"; readonly descriptor: number };
  /** From the beginning. */
  chunks(): AsyncIterable<Uint8Array>;
};

/** Receives one file; `Kept` is what can be done with it afterwards. */
export type FileWriter<Kept = FileBytes> = {
  write(bytes: Uint8Array): void | Promise<void>;
  end(): Kept | Promise<Kept>;
};

/** Where files are kept until a call ends, or longer. */
export type FileStore<Kept = FileBytes> = {
  openFile(): FileWriter<Kept>;
  /** Of all files. */
  readonly memoryBytes: number;
};

export const headMaxBytes = 64 * 1024;

/** Smaller pieces are copied together: a client that sends byte by byte would cost a view for each. */
const blockBytes = 64 * 1024;
const viewMinBytes = 16 * 1024;

/** Contents as they arrive: large pieces as views, small ones in blocks. */
export class ChunkList {
  readonly #chunks: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    if (bytes.byteLength >= viewMinBytes) {
      this.#endBlock();
      this.#chunks.push(bytes);
      return;
    }
    for (let rest = bytes; rest.byteLength > 0; ) {
      this.#block ??= new Uint8Array(blockBytes);
      const fitting = rest.subarray(0, blockBytes - this.#used);
      this.#block.set(fitting, this.#used);
      this.#used += fitting.byteLength;
      rest = rest.subarray(fitting.byteLength);
      if (this.#used === blockBytes) this.#endBlock();
    }
  }

  /** All contents so far, which it no longer holds. */
  take(): readonly Uint8Array[] {
    this.#endBlock();
    this.#size = 0;
    return this.#chunks.splice(0);
  }

  /** Most of a block would be kept for nothing by the view of a small file. */
  #endBlock(): void {
    if (this.#block !== undefined && this.#used > 0) {
      const isFull = this.#used > blockBytes / 2;
      const chunk = this.#block.subarray(0, this.#used);
      this.#chunks.push(isFull ? chunk : chunk.slice());
    }
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Keeps files in memory. */
export function createMemoryStore(): FileStore {
  let memoryBytes = 0;
  return {
    openFile: () => {
      const list = new ChunkList();
      return {
        write: (bytes) => {
          list.push(bytes);
          memoryBytes += bytes.byteLength;
        },
        end: () => bytesInMemory(list),
      };
    },
    get memoryBytes() {
      return memoryBytes;
    },
  };
}

export function bytesInMemory(list: ChunkList): FileBytes {
  const { size } = list;
  const chunks = list.take();
  return {
    size,
    head: headOf(chunks),
    place: { kind: "memory", chunks },
    chunks: async function* () {
      yield* chunks;
    },
  };
}

export function headOf(chunks: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = chunks;
  if (first.byteLength >= headMaxBytes || chunks.length <= 1) {
    return first.subarray(0, headMaxBytes);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    if (size >= headMaxBytes) break;
    parts.push(chunk);
    size += chunk.byteLength;
  }
  return Buffer.concat(parts, Math.min(size, headMaxBytes));
}
