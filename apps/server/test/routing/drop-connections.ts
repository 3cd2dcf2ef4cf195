// An address whose connections are never answered: a stopped listener with a full queue, so that the
// kernel drops connection attempts, like a firewall.
import { connect, type Socket } from "node:net";

/** More than any backlog the kernel grants here. */
const connections = 5_000;
const settledMs = 300;

export type Blackhole = { readonly baseUrl: string; readonly close: () => void };

export async function startBlackhole(): Promise<Blackhole> {
  const listens = `const s = require("node:net").createServer(() => {});
    s.listen({ port: 0, host: "127.0.0.1", backlog: 8 }, () => console.log(s.address().port));`;
  const child = Bun.spawn([process.execPath, "-e", listens], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  process.kill(child.pid, "SIGSTOP");
  const sockets: Socket[] = [];
  // Until one is not accepted in time: then the queue is full.
  for (let count = 0; count < connections; count += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
    if (!(await isAccepted(socket))) break;
  }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close() {
      for (const socket of sockets) socket.destroy();
      child.kill("SIGKILL");
    },
  };
}

function isAccepted(socket: Socket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once("connect", () => resolve(true));
  setTimeout(() => resolve(false), settledMs);
  return promise;
}
