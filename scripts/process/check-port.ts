// Says whether a port can be had before anything is started for it.
import { createServer } from "node:net";

/** Throws an Error whose message is one sentence when somebody else listens on `port`. */
export async function checkPort(port: number): Promise<void> {
  for (const host of ["0.0.0.0", "127.0.0.1", "::1"]) {
    const code = await tryListen(port, host);
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is taken by another program: stop it, or set PORT, for example PORT=${port + 1}.`,
      );
    }
    if (code === "EACCES") {
      throw new Error(`Port ${port} needs special rights: set PORT to a number above 1023.`);
    }
  }
}

/** The error code, or undefined where listening worked. A machine without IPv6 is no obstacle. */
function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** A TCP port of 127.0.0.1 that nobody listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
