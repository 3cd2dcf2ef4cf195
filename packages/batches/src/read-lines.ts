// Divides a file into its lines while it is read, in the memory of one line. Lines may end with CRLF, the file may begin with a byte
// order mark, and the last line need not end.
const newline = 0x0a;

export type FileLine = {
  /** From 1, as an editor counts them. */
  readonly number: number;
  /** Undefined if it is longer than the most, or not UTF-8. */
  readonly text: string | undefined;
};

/** Without lines that are blank. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<FileLine> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let number = 1;
  const add = (part: Uint8Array) => {
    bytes += part.byteLength;
    // Of a line that is too long nothing more is kept.
    if (bytes <= maxBytes) parts.push(part.slice());
  };
  const take = (): FileLine => {
    const text = bytes > maxBytes ? undefined : decode(parts);
    const line = { number, text };
    parts = [];
    bytes = 0;
    number += 1;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line.text !== "") yield line;
    }
    add(chunk.subarray(start));
  }
  const last = take();
  if (last.text !== "") yield last;
}

/** Undefined for what is not UTF-8. A byte order mark is left out. */
function decode(parts: readonly Uint8Array[]): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)).trim();
  } catch {
    return undefined;
  }
}
