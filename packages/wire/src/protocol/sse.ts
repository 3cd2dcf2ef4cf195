// Server-sent events on both sides: the frames we write and the splitter that reads an upstream's
// bytes. However the network cuts a stream, it yields the same payloads, none twice, none partial.
import { Fault, parseObject } from "@turnpike/base";

/** Exact bytes: openai-node 7 and the AI SDK compare for equality. */
export const sseDone = "data: [DONE]\n\n";
/**
 * A comment line between two events, and nothing more: openai-go before 3.43 takes a blank line after it for the end
 * of an event without data, and fails. Never `: ping`, which one client's parser treats as the end of its batch.
 */
export const sseKeepAlive = ": keep-alive\n";

/** One event from single-line JSON. */
export function sseData(json: string): string {
  return `data: ${json}\n\n`;
}

/** The same with a name, for languages whose clients dispatch by it. */
export function sseEvent(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}

const lineFeed = 0x0a;
const blankLine = Uint8Array.of(lineFeed, lineFeed);

/** Whether a payload is the marker that ends a stream. */
export function isSseDone(payload: string): boolean {
  return payload.trim() === "[DONE]";
}

/**
 * Bytes in, `data` payloads of complete events out. Comments, `event:`, `id:` and `retry:` lines
 * and events without data are skipped; the lines of a multi-line payload are joined by a newline.
 */
export class SseSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxEventBytes: number;
  /** The beginning of a line whose end has not arrived. */
  #line = "";
  /** Data lines of the current event, joined; undefined before the first. */
  #data: string | undefined;
  /** Whether the current event is named `error`. */
  #isError = false;
  /** Positions of such events among the payloads last returned; undefined without any. */
  #errorsAt: Set<number> | undefined;
  #endedInCr = false;
  #endedInLineFeed = true;

  constructor({ maxEventBytes }: { readonly maxEventBytes: number }) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Whether the next byte begins an event. */
  get isBetweenEvents(): boolean {
    return this.#endedInLineFeed && this.#line === "" && this.#data === undefined;
  }

  /** Whether the event of this payload, by its position among those last returned, is named `error`. */
  isNamedError(position: number): boolean {
    return this.#errorsAt?.has(position) === true;
  }

  /** Payloads completed by this chunk. Throws Fault bad_gateway for an event beyond the limit. */
  push(chunk: Uint8Array): string[] {
    const payloads: string[] = [];
    this.#errorsAt = undefined;
    // Only then nothing of a character is left in the decoder.
    if (chunk.length > 0) this.#endedInLineFeed = chunk.at(-1) === lineFeed;
    const decoded = this.#unifyLineEnds(this.#decoder.decode(chunk, { stream: true }));
    let lineEnd = decoded.indexOf("\n");
    if (lineEnd === -1) {
      this.#line += decoded;
      if (this.#line.length > this.#maxEventBytes) throw oversizedEvent();
      return payloads;
    }
    const text = this.#line + decoded;
    lineEnd += this.#line.length;
    let lineStart = 0;
    while (lineEnd !== -1) {
      if (lineEnd === lineStart) {
        this.#endEvent(payloads);
      } else {
        this.#readLine(text, lineStart, lineEnd);
      }
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    this.#line = text.slice(lineStart);
    return payloads;
  }

  /**
   * The connection ended: the last event, if no blank line followed it. One that was cut off has no payload; only
   * an object that is complete, or the marker of the end, proves that it was not.
   */
  end(): string[] {
    return this.push(blankLine).filter(
      (payload) => isSseDone(payload) || parseObject(payload) !== undefined,
    );
  }

  #endEvent(payloads: string[]): void {
    if (this.#data) {
      if (this.#isError) {
        this.#errorsAt ??= new Set();
        this.#errorsAt.add(payloads.length);
      }
      payloads.push(this.#checkSize(this.#data));
    }
    this.#data = undefined;
    this.#isError = false;
  }

  #readLine(text: string, start: number, end: number): void {
    if (!text.startsWith("data:", start)) {
      if (text.startsWith("event:", start)) this.#isError = isErrorName(text, start, end);
      return;
    }
    const value = text.slice(valueStart(text, start + "data:".length), end);
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (this.#data.length > this.#maxEventBytes) throw oversizedEvent();
  }

  /** CR and CRLF become LF; a CR at the end of a chunk ends its line, a following LF is its other half. */
  #unifyLineEnds(decoded: string): string {
    if (decoded === "") return decoded;
    const text = this.#endedInCr && decoded.startsWith("\n") ? decoded.slice(1) : decoded;
    this.#endedInCr = decoded.endsWith("\r");
    return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  }

  #checkSize(payload: string): string {
    // A UTF-16 unit is at most three bytes of UTF-8, so most payloads need no counting.
    if (payload.length * 3 <= this.#maxEventBytes) return payload;
    if (Buffer.byteLength(payload) <= this.#maxEventBytes) return payload;
    throw oversizedEvent();
  }
}

/** One space after the colon belongs to neither. */
function valueStart(text: string, afterColon: number): number {
  return text.charCodeAt(afterColon) === 0x20 ? afterColon + 1 : afterColon;
}

function isErrorName(text: string, lineStart: number, lineEnd: number): boolean {
  const start = valueStart(text, lineStart + "event:".length);
  return start + "error".length === lineEnd && text.startsWith("error", start);
}

function oversizedEvent(): Fault {
  return new Fault("bad_gateway", "The upstream sent an event that is too large to relay.");
}
