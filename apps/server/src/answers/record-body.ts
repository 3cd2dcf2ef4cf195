// Passes a streamed answer on to its client and keeps a copy. The copy is always completed: at the client's
// pace as long as it is connected, and at full speed afterwards.

export type RecordedBody = {
  readonly body: ReadableStream<Uint8Array>;
  /** The text of the source once it has ended; undefined if it was larger than `maxBytes`. */
  readonly recorded: Promise<string | undefined>;
  /** Resolves when the client has received everything it will, or has disconnected. */
  readonly sent: Promise<void>;
};

export function recordBody(source: ReadableStream<Uint8Array>, maxBytes: number): RecordedBody {
  const reader = source.getReader();
  const recorded = Promise.withResolvers<string | undefined>();
  const sent = Promise.withResolvers<void>();
  const copy = new BoundedCopy(maxBytes);
  let clientLeft = false;

  /** Undefined at the end of the source. */
  async function readOn(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        copy.add(value);
        return value;
      }
      recorded.resolve(copy.text());
      return undefined;
    } catch (error) {
      recorded.reject(error);
      throw error;
    }
  }

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const read = await readOn();
        if (clientLeft) return;
        if (read !== undefined) return controller.enqueue(read);
        controller.close();
      } catch (error) {
        if (!clientLeft) controller.error(error);
      }
      sent.resolve();
    },
    async cancel() {
      clientLeft = true;
      sent.resolve();
      while ((await readOn()) !== undefined);
    },
  });
  return { body, recorded: recorded.promise, sent: sent.promise };
}

class BoundedCopy {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(bytes: Uint8Array): void {
    this.#size += bytes.byteLength;
    // The source may use the memory again once it is read.
    if (this.#size <= this.#maxBytes) this.#parts.push(bytes.slice());
    else this.#parts = [];
  }

  text(): string | undefined {
    return this.#size > this.#maxBytes ? undefined : Buffer.concat(this.#parts).toString();
  }
}
