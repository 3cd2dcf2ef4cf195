// Writes raw HTTP/1.1 answers to one client connection and breaks them where the script says. Every wait
// ends when the client disconnects, so no answer outlives its connection.
import { Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { SocketReader } from "./read-http-request.ts";
import { untilRead } from "./until-read.ts";

/** How an answer ended: complete, abandoned by the client, or broken off by the script. */
export type Ending = "answered" | "gone" | "cut" | "reset";

/** Thrown to leave an answer unfinished; `stall` keeps the connection open and silent. */
export class BrokenOff extends Error {
  constructor(readonly how: "gone" | "cut" | "reset" | "stall") {
    super(how);
  }
}

/** One client connection: its peer, whether it is still open, and how to end it. */
export class HttpConnection {
  readonly reader: SocketReader;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    this.reader = new SocketReader(socket);
    const close = () => {
      this.#closed = true;
      this.#wake();
    };
    socket.on("end", close).on("close", close).on("error", close);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Passes bytes to the kernel; throws `gone` if the client has disconnected. */
  async send(bytes: Uint8Array | string): Promise<void> {
    if (this.#closed) throw new BrokenOff("gone");
    await this.#unlessClosed((done) => this.socket.write(bytes, () => done()));
    if (this.#closed) throw new BrokenOff("gone");
  }

  /** Waits; throws `gone` as soon as the client disconnects. */
  async wait(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await this.#unlessClosed((done) => {
      timer = setTimeout(done, milliseconds);
    });
    clearTimeout(timer);
    if (this.#closed) throw new BrokenOff("gone");
  }

  /** Waits for `event`; throws `gone` as soon as the client disconnects. */
  async waitFor(event: Promise<void>): Promise<void> {
    await this.#unlessClosed((done) => void event.then(done));
    if (this.#closed) throw new BrokenOff("gone");
  }

  /**
   * Ends a broken-off answer the way it broke, once the client has what was sent before; a stall lasts until the client
   * disconnects.
   */
  async breakOff(how: BrokenOff["how"]): Promise<Ending> {
    if (how === "stall") await this.#unlessClosed(() => undefined);
    if (how === "reset" || how === "cut") await untilRead(this.socket);
    if (how === "reset") this.socket.resetAndDestroy();
    else this.socket.end();
    return how === "stall" ? "gone" : how;
  }

  async #unlessClosed(start: (done: () => void) => void): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      start(resolve);
    });
  }
}

export type AnswerLayout = {
  breakAt?: { bytes: number; how: "cut" | "reset" | "stall" } | undefined;
  cutInHead?: number | undefined;
  splitUtf8?: boolean | undefined;
  splitEvery?: number | undefined;
  closeDelimited?: boolean | undefined;
  gzip?: boolean | undefined;
};

/**
 * What was sent to the client. A delta is one streamed token; a whole answer has tokens only. `usage`
 * is the last one that was sent whole.
 */
export type Delivered = { deltas: number; tokens: number; bytes: number; usage?: unknown };

/** What a part of the body delivers. */
type Contents = { deltas?: number; tokens?: number; usage?: unknown };

/** One answer: a head, body writes, an end. Without a length in its head the body is chunked. */
export class AnswerWriter {
  readonly delivered: Delivered = { deltas: 0, tokens: 0, bytes: 0 };
  #chunked = false;
  #zipped: Uint8Array[] = [];
  #zippedUsage: unknown;

  constructor(
    readonly connection: HttpConnection,
    readonly layout: AnswerLayout,
  ) {}

  async head(status: number, headers: Readonly<Record<string, string>>): Promise<void> {
    const { closeDelimited, gzip, cutInHead } = this.layout;
    const { "content-length": length, ...others } = headers;
    const framing: Record<string, string> = {};
    if (gzip) framing["content-encoding"] = "gzip";
    if (closeDelimited) framing.connection = "close";
    else if (length === undefined || gzip) framing["transfer-encoding"] = "chunked";
    else framing["content-length"] = length;
    this.#chunked = framing["transfer-encoding"] !== undefined;
    const lines = Object.entries({ ...others, ...framing }).map(
      ([name, text]) => `${name}: ${text}`,
    );
    const head = [`HTTP/1.1 ${status} ${reasonOf(status)}`, ...lines, "", ""].join("\r\n");
    await this.connection.send(head.slice(0, cutInHead));
    if (cutInHead !== undefined) throw new BrokenOff("cut");
  }

  /** Sends part of the body; its contents count as delivered once its last byte is passed on. */
  async write(body: string | Uint8Array, contents: Contents = {}) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    if (this.layout.gzip) {
      this.#zipped.push(bytes);
      this.#zippedUsage = contents.usage ?? this.#zippedUsage;
      return;
    }
    const pieces = piecesOf(bytes, this.layout);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await this.connection.wait(1);
      await this.#sendPiece(piece, index === pieces.length - 1 ? contents : {});
    }
  }

  /** Completes the body; true if the connection can carry another request. */
  async end(): Promise<boolean> {
    if (this.layout.gzip)
      await this.#sendPiece(gzipSync(Buffer.concat(this.#zipped)), { usage: this.#zippedUsage });
    if (this.#chunked) await this.connection.send("0\r\n\r\n");
    if (this.layout.closeDelimited) this.connection.socket.end();
    return !this.layout.closeDelimited;
  }

  async #sendPiece(piece: Uint8Array, contents: Contents) {
    const { breakAt } = this.layout;
    const room = breakAt ? breakAt.bytes - this.delivered.bytes : Number.POSITIVE_INFINITY;
    const torn = piece.length > room;
    const sent = torn ? piece.subarray(0, room) : piece;
    this.delivered.bytes += sent.length;
    if (!torn) {
      this.delivered.deltas += contents.deltas ?? 0;
      this.delivered.tokens += contents.tokens ?? 0;
      this.delivered.usage = contents.usage ?? this.delivered.usage;
    }
    const framed = this.#chunked
      ? Buffer.concat([
          Buffer.from(`${piece.length.toString(16)}\r\n`),
          sent,
          Buffer.from(torn ? "" : "\r\n"),
        ])
      : sent;
    if (framed.length > 0) await this.connection.send(framed);
    if (breakAt && this.delivered.bytes === breakAt.bytes) throw new BrokenOff(breakAt.how);
  }
}

/** Splits bytes as the layout says: every n bytes, or before each UTF-8 continuation byte. */
function piecesOf(bytes: Uint8Array, { splitEvery, splitUtf8 }: AnswerLayout): Uint8Array[] {
  if (!splitEvery && !splitUtf8) return [bytes];
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    const insideCharacter = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    if (splitUtf8 ? !insideCharacter : at - start < (splitEvery ?? 1)) continue;
    pieces.push(bytes.subarray(start, at));
    start = at;
  }
  return [...pieces, bytes.subarray(start)];
}

const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  302: "Found",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

function reasonOf(status: number): string {
  return reasons[status] ?? "Status";
}

export type Listener = {
  port: number;
  /** Refuses new connections; open ones stay open. */
  stopListening(): void;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
};

/** Listens on the loopback address; `connect` is called for each connection. */
export async function listenOnLoopback(
  port: number,
  connect: (socket: Socket) => void,
): Promise<Listener> {
  const open = new Set<Socket>();
  let isClosing = false;
  const server = new Server((socket) => {
    // Accepted after the others were destroyed, it would keep the server from closing.
    if (isClosing) return void socket.destroy();
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
    connect(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve());
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP port was given");
  return {
    port: address.port,
    stopListening: () => void server.close(),
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
