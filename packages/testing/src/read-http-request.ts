// Reads HTTP/1.1 requests off a raw socket, one after the other. Needed because faults such as a
// split chunk or a reset can only be produced below HTTP, which the runtime's own server does not allow.
import type { Socket } from "node:net";

export type HttpRequest = {
  method: string;
  path: string;
  /** Names in lower case; the last one of a repeated header. */
  headers: Readonly<Record<string, string>>;
  /** Names and values exactly as sent, in order. */
  rawHeaders: readonly (readonly [name: string, value: string])[];
  body: Buffer;
};

/** Pulls lines and byte runs out of a socket as they arrive. */
export class SocketReader {
  #pending: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.#pending.push(chunk);
      this.#bytes += chunk.length;
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on("end", end).on("close", end).on("error", end);
  }

  /** The next line without its CRLF; undefined once the peer has closed. */
  async readLine(): Promise<string | undefined> {
    for (;;) {
      const all = this.#joined();
      const at = all.indexOf("\r\n");
      if (at !== -1) {
        this.#pending = [all.subarray(at + 2)];
        this.#bytes -= at + 2;
        return all.toString("latin1", 0, at);
      }
      if (this.#ended) return undefined;
      await this.#more();
    }
  }

  /** Exactly `count` bytes; undefined if the peer closes before they have arrived. */
  async readBytes(count: number): Promise<Buffer | undefined> {
    while (this.#bytes < count) {
      if (this.#ended) return undefined;
      await this.#more();
    }
    const all = this.#joined();
    this.#pending = [all.subarray(count)];
    this.#bytes -= count;
    return all.subarray(0, count);
  }

  #joined(): Buffer {
    const [only] = this.#pending;
    const joined = only && this.#pending.length === 1 ? only : Buffer.concat(this.#pending);
    this.#pending = [joined];
    return joined;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** The next request on the connection; undefined when there is none or it breaks off. */
export async function readHttpRequest(
  reader: SocketReader,
  sendContinue: () => void,
): Promise<HttpRequest | undefined> {
  const start = await reader.readLine();
  if (start === undefined) return undefined;
  const [method = "", path = ""] = start.split(" ");
  const rawHeaders: (readonly [string, string])[] = [];
  for (;;) {
    const line = await reader.readLine();
    if (line === undefined) return undefined;
    if (line === "") break;
    const colon = line.indexOf(":");
    rawHeaders.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
  }
  const headers = Object.fromEntries(
    rawHeaders.map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  if (headers.expect?.toLowerCase() === "100-continue") sendContinue();
  const body = await readBody(reader, headers);
  return body && { method, path, headers, rawHeaders, body };
}

async function readBody(
  reader: SocketReader,
  headers: Readonly<Record<string, string>>,
): Promise<Buffer | undefined> {
  if (headers["transfer-encoding"]?.toLowerCase() !== "chunked") {
    return reader.readBytes(Number(headers["content-length"] ?? 0));
  }
  const parts: Buffer[] = [];
  for (;;) {
    const sizeLine = await reader.readLine();
    if (sizeLine === undefined) return undefined;
    const part = await reader.readBytes(Number.parseInt(sizeLine, 16));
    if (part === undefined || (await reader.readLine()) === undefined) return undefined;
    if (part.length === 0) return Buffer.concat(parts);
    parts.push(part);
  }
}
