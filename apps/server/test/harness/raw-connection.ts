// A connection whose every byte the test sends itself, and which it may leave in any way a client can.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawConnection = {
  readonly socket: Socket;
  /** All that was received so far. */
  readonly received: () => string;
  /** Resolves with all that was received once it `matches`; rejects if the connection ends before. */
  readonly waitFor: (matches: (text: string) => boolean) => Promise<string>;
  /** Resolves with all that was received when the connection is closed, by either side. */
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
  // How a connection ends is what its test looks at; a reset is one way.
  socket.on("error", () => undefined);
  // The other side has ended, and nothing here waits for more.
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
