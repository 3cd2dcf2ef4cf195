// Finds out whether a port is free before anything is started on it.
import { createServer } from "node:net";

/** Throws an Error whose message is one sentence when `port` cannot be listened on. */
export async function checkPort(port: number): Promise<void> {
  for (const host of ["0.0.0.0", "127.0.0.1", "::1"]) {
    const code = await listenOnce(port, host).catch((error: NodeJS.ErrnoException) => error.code);
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is in use by another program: stop it, or set PORT, for example PORT=${port + 1}.`,
      );
    }
    if (code === "EACCES") {
      throw new Error(`Port ${port} needs special rights: set PORT to a number above 1023.`);
    }
    // Other errors, such as a machine without IPv6, say nothing about the port.
  }
}

/** A TCP port of 127.0.0.1 that nothing currently listens on. */
export function freePort(): Promise<number> {
  return listenOnce(0, "127.0.0.1");
}

/** Resolves with the port once nothing listens on it any more; rejects if it cannot be listened on. */
function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
