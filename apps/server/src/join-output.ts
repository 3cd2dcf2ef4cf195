// The standard output of a parent and its workers: lines of several processes, each written whole.
// If workers wrote to one pipe themselves, their lines would be interleaved.

const newline = 10;

export type Output = {
  /** Takes whole lines. */
  write(lines: string | Uint8Array): void;
  /** Copies a worker's output; resolves at its end. A reader that is slow slows the worker's log. */
  copyFrom(stream: ReadableStream<Uint8Array>): Promise<void>;
  /** Resolves when everything given so far was written. */
  written(): Promise<void>;
};

/** `writeBytes` resolves when the bytes were accepted, or lost because the reader has closed. */
export function joinOutput(writeBytes: (bytes: Uint8Array) => Promise<void>): Output {
  let last = Promise.resolve();
  const append = (bytes: Uint8Array) => {
    last = last.then(() => writeBytes(bytes));
    return last;
  };
  return {
    write: (lines) => void append(typeof lines === "string" ? Buffer.from(lines) : lines),
    async copyFrom(stream) {
      let rest: Uint8Array = new Uint8Array();
      for await (const chunk of stream) {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const end = bytes.lastIndexOf(newline) + 1;
        rest = bytes.subarray(end);
        if (end > 0) await append(bytes.subarray(0, end));
      }
      // A process that was killed may end in the middle of a line.
      if (rest.length > 0) await append(Buffer.concat([rest, Buffer.from("\n")]));
    },
    written: () => last,
  };
}

export function writeStdout(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(bytes, () => resolve());
  });
}
