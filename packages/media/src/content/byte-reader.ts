// Reads a file from its beginning without holding more than a chunk of it. What a header claims costs nothing: bytes that
// are skipped are never copied, and a file that ends too early is `BrokenMedia`.

/** Not what its first bytes promise; `message` completes a sentence about the file. */
export class BrokenMedia extends Error {}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);
  #position = 0;

  /** Of a file in which what is looked for is not within the first `maxBytes`, no more is read. */
  constructor(
    chunks: Chunks,
    readonly maxBytes: number,
  ) {
    this.#chunks = eachOf(chunks);
  }

  /** Bytes read and skipped so far. */
  get position(): number {
    return this.#position;
  }

  /** For a few bytes of a header. */
  async take(count: number): Promise<Buffer> {
    this.#assertBounded(count);
    const parts: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      if (this.#chunk.length === 0) await this.#next();
      const part = this.#chunk.subarray(0, missing);
      this.#chunk = this.#chunk.subarray(part.length);
      this.#position += part.length;
      missing -= part.length;
      parts.push(part);
    }
    const [only] = parts;
    return only && parts.length === 1 ? only : Buffer.concat(parts);
  }

  async skip(count: number): Promise<void> {
    this.#assertBounded(count);
    for (let missing = count; missing > 0; ) {
      if (this.#chunk.length === 0) await this.#next();
      const skipped = Math.min(missing, this.#chunk.length);
      this.#chunk = this.#chunk.subarray(skipped);
      this.#position += skipped;
      missing -= skipped;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #assertBounded(count: number): void {
    if (this.#position + count > this.maxBytes) throw new BrokenMedia("its header is too long");
  }

  async #next(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done) throw new BrokenMedia("the file ends within its header");
    const { buffer, byteOffset, byteLength } = next.value;
    this.#chunk = Buffer.from(buffer, byteOffset, byteLength);
  }
}

async function* eachOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
