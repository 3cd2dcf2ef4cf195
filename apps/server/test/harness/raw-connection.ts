// A connection on which the test sends every byte itself, and which it can end in any way a client can.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawConnection = {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly received: () => string;
  /** Resolves with everything received once it `matches`; rejects if the connection ends before. */
  readonly waitFor: (matches: (text: string) => boolean) => Promise<string>;
  /** Resolves with everything received when either side has closed the connection. */
  readonly closed: Promise<string>;
};

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  let isClosed = false;
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  socket.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  // The test checks how a connection ends; a reset is one way.
  socket.on("error", () => undefined);
  // The other side has ended, and nothing here waits for further data.
  socket.on("end", () => socket.end());
  socket.on("close", () => {
    isClosed = true;
    resolve(text);
  });
  await once(socket, "connect");
  return {
    socket,
    received: () => text,
    closed,
    async waitFor(matches) {
      while (!matches(text)) {
        if (isClosed) throw new Error(`the connection ended after: ${text.slice(-500)}`);
        const data = Promise.withResolvers<void>();
        socket.once("data", () => data.resolve());
        await Promise.race([data.promise, closed]);
      }
      return text;
    },
  };
}
