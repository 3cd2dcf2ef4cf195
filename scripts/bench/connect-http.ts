// One client connection: sends a request, finds the end of its answer. It supports just enough HTTP for
// the servers of the benchmark, and refuses everything else.
import type { Socket } from "bun";

export type Answer = {
  status: number;
  /** The head has a Retry-After. */
  saysWhenToRetry: boolean;
  /** When the first byte of the body arrived. */
  firstByteAt: number;
};

export type Connection = {
  /** Rejects on a status that is not accepted and when the connection ends early. */
  ask(request: Buffer, onEvents?: (events: number) => void): Promise<Answer>;
  close(): void;
};

const headEnd = Buffer.from("\r\n\r\n");
const eventStart = Buffer.from("data: ");
/** The last chunk of a chunked body; no JSON and no event ends like this. */
const bodyEnd = "0\r\n\r\n";

const isOk = (status: number) => status === 200;

/** What `ask` rejects with when the status is not accepted: an answer, but not the one asked for. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && typeof error.cause === "number";
}

export async function connect(
  port: number,
  accepts: (status: number) => boolean = isOk,
): Promise<Connection> {
  const asking = new Asking(accepts);
  let unsent: Buffer = Buffer.alloc(0);
  const send = (bytes: Buffer) => {
    unsent = bytes.subarray(socket.write(bytes));
  };
  const socket: Socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => asking.read(bytes),
      drain: () => {
        if (unsent.length > 0) send(unsent);
      },
      close: () => asking.end("the connection was closed"),
      error: (_, error) => asking.end(error.message),
    },
  });
  socket.setNoDelay(true);
  return {
    ask(request, onEvents) {
      const answer = asking.start(onEvents);
      send(request);
      return answer;
    },
    close: () => socket.end(),
  };
}

class Asking {
  #waiting: PromiseWithResolvers<Answer> | undefined;
  #onEvents: ((events: number) => void) | undefined;
  #head: Buffer | undefined;
  /** Bytes of the body still to come; undefined if only its end determines its length. */
  #missing: number | undefined;
  #inBody = false;
  #firstByteAt = 0;
  #tail = "";
  #status = 0;
  #saysWhenToRetry = false;
  /** Why nothing can be asked on this connection, once it has ended. */
  #ended: string | undefined;
  readonly #accepts: (status: number) => boolean;

  constructor(accepts: (status: number) => boolean) {
    this.#accepts = accepts;
  }

  start(onEvents: ((events: number) => void) | undefined): Promise<Answer> {
    this.#waiting = Promise.withResolvers<Answer>();
    this.#onEvents = onEvents;
    this.#inBody = false;
    this.#firstByteAt = 0;
    this.#tail = "";
    const { promise } = this.#waiting;
    if (this.#ended !== undefined) this.end(this.#ended);
    return promise;
  }

  end(why: string): void {
    this.#ended = why;
    this.#fail(new Error(why));
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  read(bytes: Buffer): void {
    if (this.#inBody) this.#readBody(bytes);
    else this.#readHead(bytes);
  }

  #readHead(bytes: Buffer): void {
    const all = this.#head === undefined ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf(headEnd);
    this.#head = end === -1 ? Buffer.from(all) : undefined;
    if (end === -1) return;
    const head = all.toString("latin1", 0, end);
    this.#status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    this.#saysWhenToRetry = /\r\nretry-after: \d/i.test(head);
    if (!this.#accepts(this.#status)) {
      const statusLine = head.split("\r\n")[0];
      const body = all.toString("utf8", end + headEnd.length);
      this.#fail(new Error(`an answer was ${statusLine}: ${body}`, { cause: this.#status }));
      return;
    }
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    this.#missing = length === undefined ? undefined : Number(length);
    this.#inBody = true;
    this.#readBody(all.subarray(end + headEnd.length));
  }

  #readBody(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#firstByteAt === 0) this.#firstByteAt = performance.now();
    this.#onEvents?.(countEvents(bytes));
    if (this.#missing === undefined) {
      const last = bytes.subarray(-bodyEnd.length).toString("latin1");
      this.#tail = (this.#tail + last).slice(-bodyEnd.length);
      if (this.#tail !== bodyEnd) return;
    } else {
      this.#missing -= bytes.length;
      if (this.#missing > 0) return;
    }
    this.#waiting?.resolve({
      status: this.#status,
      saysWhenToRetry: this.#saysWhenToRetry,
      firstByteAt: this.#firstByteAt,
    });
    this.#waiting = undefined;
  }
}

function countEvents(bytes: Buffer): number {
  let events = 0;
  for (let at = bytes.indexOf(eventStart); at !== -1; at = bytes.indexOf(eventStart, at + 6)) {
    events += 1;
  }
  return events;
}
