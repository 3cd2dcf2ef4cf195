// Divides the bytes of a multipart body into parts as they arrive, wherever they are split. It keeps nothing of a part but
// its headers, and copies none of its contents: what looks like the beginning of a boundary is a number of matched bytes.
import { brokenMultipart, tooManyParts, truncatedMultipart } from "./multipart-fault.ts";

export const partsMax = 64;
const headersMaxBytes = 8 * 1024;
/** Before the first boundary; clients send none. */
const preambleMaxBytes = 8 * 1024;
/** White space after a boundary; clients send none. */
const paddingMaxBytes = 256;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
/** How what follows a boundary may begin. */
const paddingStart = /^(?:-|[ \t]*\r?)$/;
const endOfHeaders = Buffer.from("\r\n\r\n", "latin1");

export type ScanEvent =
  /** A part begins; its header lines with their line ends. */
  | { readonly kind: "headers"; readonly block: Buffer }
  /** Contents of the part: a view of the chunk that was scanned, except for a few bytes. */
  | { readonly kind: "data"; readonly bytes: Uint8Array }
  | { readonly kind: "end" };

type State = "preamble" | "boundary" | "headers" | "data" | "epilogue";

export class PartScanner {
  readonly #delimiter: Buffer;
  #state: State = "preamble";
  /** How much of the delimiter precedes the next byte. A boundary at the very start has no line before it. */
  #matched = 2;
  /** What follows a boundary. */
  #padding = "";
  readonly #headers = Buffer.alloc(headersMaxBytes + endOfHeaders.length);
  #headerBytes = 0;
  #preambleBytes = 0;
  #parts = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** Throws Fault for what is not well-formed or exceeds a bound. */
  *scan(bytes: Uint8Array): Generator<ScanEvent> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at < chunk.length && this.#state !== "epilogue") {
      if (this.#state === "boundary") at = this.#afterBoundary(chunk, at);
      else if (this.#state === "headers") at = yield* this.#untilContents(chunk, at);
      else at = yield* this.#untilBoundary(chunk, at);
    }
  }

  /** Throws Fault if the closing boundary has not been read. */
  assertClosed(): void {
    if (this.#state !== "epilogue") throw truncatedMultipart();
  }

  *#untilBoundary(chunk: Buffer, from: number): Generator<ScanEvent, number> {
    const resumed = this.#resumeMatch(chunk, from);
    if (resumed !== undefined) {
      yield* this.#contents(this.#delimiter.subarray(0, resumed.unmatched));
      if (resumed.isBoundary) yield* this.#endPart();
      if (resumed.end > from || resumed.isBoundary) return resumed.end;
    }
    const found = chunk.indexOf(this.#delimiter, from);
    if (found !== -1) {
      yield* this.#contents(chunk.subarray(from, found));
      yield* this.#endPart();
      return found + this.#delimiter.length;
    }
    const end = this.#startOfMatch(chunk, from);
    this.#matched = chunk.length - end;
    yield* this.#contents(chunk.subarray(from, end));
    return chunk.length;
  }

  /**
   * Goes on with a delimiter that began in an earlier chunk. It has one carriage return, at its start, so where it does not
   * go on no other begins among the bytes that matched.
   */
  #resumeMatch(chunk: Buffer, from: number) {
    const matched = this.#matched;
    if (matched === 0) return undefined;
    const wanted = this.#delimiter.subarray(matched, matched + chunk.length - from);
    const end = from + wanted.length;
    if (!chunk.subarray(from, end).equals(wanted)) {
      this.#matched = 0;
      return { unmatched: matched, end: from, isBoundary: false };
    }
    this.#matched = matched + wanted.length;
    return { unmatched: 0, end, isBoundary: this.#matched === this.#delimiter.length };
  }

  /** Where the beginning of a delimiter ends the chunk, or the end of the chunk. */
  #startOfMatch(chunk: Buffer, from: number): number {
    const start = chunk.lastIndexOf(carriageReturn);
    const length = chunk.length - start;
    if (start < from || length >= this.#delimiter.length) return chunk.length;
    const isStart = chunk.subarray(start).equals(this.#delimiter.subarray(0, length));
    return isStart ? start : chunk.length;
  }

  *#contents(bytes: Uint8Array): Generator<ScanEvent, void> {
    if (bytes.length === 0) return;
    if (this.#state === "data") {
      yield { kind: "data", bytes };
      return;
    }
    this.#preambleBytes += bytes.length;
    if (this.#preambleBytes > preambleMaxBytes) {
      throw brokenMultipart("it does not begin with its boundary");
    }
  }

  *#endPart(): Generator<ScanEvent, void> {
    if (this.#state === "data") yield { kind: "end" };
    this.#state = "boundary";
    this.#padding = "";
  }

  /** After a boundary: `--`, or a line end that white space may precede. */
  #afterBoundary(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      const before = this.#padding;
      this.#padding = before + String.fromCharCode(byte);
      if (this.#padding === "--") return this.#close(chunk.length);
      if (byte === lineFeed && before.endsWith("\r")) return this.#open(at + 1);
      if (!paddingStart.test(this.#padding) || before.length > paddingMaxBytes) {
        throw brokenMultipart("a boundary is not followed by a line end");
      }
    }
    return chunk.length;
  }

  #close(end: number): number {
    this.#state = "epilogue";
    return end;
  }

  #open(next: number): number {
    this.#parts += 1;
    if (this.#parts > partsMax) throw tooManyParts(partsMax);
    this.#state = "headers";
    // A part without headers has an empty line at once: the line end of its boundary counts as that of a line before it.
    this.#headerBytes = this.#headers.write("\r\n", "latin1");
    return next;
  }

  *#untilContents(chunk: Buffer, from: number): Generator<ScanEvent, number> {
    const before = this.#headerBytes;
    const copied = chunk.copy(this.#headers, before, from);
    this.#headerBytes = before + copied;
    const read = this.#headers.subarray(0, this.#headerBytes);
    const end = read.indexOf(endOfHeaders, Math.max(0, before - endOfHeaders.length));
    if (end === -1) {
      if (read.length === this.#headers.length) {
        throw brokenMultipart(`a part has more than ${headersMaxBytes / 1024} KiB of headers`);
      }
      return chunk.length;
    }
    this.#state = "data";
    this.#matched = 0;
    yield { kind: "headers", block: Buffer.from(read.subarray(2, Math.max(end, 2))) };
    return from + end + endOfHeaders.length - before;
  }
}
