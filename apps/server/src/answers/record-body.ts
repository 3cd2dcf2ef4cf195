// Passes a streamed answer on to its client and keeps a copy, which is always completed.
import { passOnBody } from "./pass-on-body.ts";

export type RecordedBody = {
  readonly body: ReadableStream<Uint8Array>;
  /** The text of the source once it has ended; undefined if it was larger than `maxBytes`. */
  readonly recorded: Promise<string | undefined>;
  /** Resolves when the client has received everything it will, or has disconnected. */
  readonly sent: Promise<void>;
};

/** `encoding` is that of the text: not all bytes are UTF-8. */
export function recordBody(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  encoding: "utf8" | "base64" = "utf8",
): RecordedBody {
  const copy = new BoundedCopy(maxBytes);
  const { body, read, sent } = passOnBody(source, (bytes) => copy.add(bytes));
  return { body, recorded: read.then(() => copy.text(encoding)), sent };
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

  text(encoding: "utf8" | "base64"): string | undefined {
    return this.#size > this.#maxBytes ? undefined : Buffer.concat(this.#parts).toString(encoding);
  }
}
