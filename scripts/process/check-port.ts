// Finds out whether a port is free before anything is started on it.

/** Throws an Error whose message is one sentence if another program listens on `port`. */
export function checkPort(port: number): void {
  for (const hostname of ["0.0.0.0", "127.0.0.1", "::1"]) {
    try {
      listenOnce(port, hostname);
    } catch (error) {
      // Other errors, such as a machine without IPv6, say nothing about the port.
      if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) continue;
      throw new Error(
        `Port ${port} is in use by another program: stop it, or set PORT, for example PORT=${port + 1}.`,
      );
    }
  }
}

/** A TCP port of 127.0.0.1 that nothing currently listens on. */
export async function freePort(): Promise<number> {
  return listenOnce(0, "127.0.0.1");
}

function listenOnce(port: number, hostname: string): number {
  const socket = { data: () => undefined };
  const listener = Bun.listen({ port, hostname, exclusive: true, socket });
  listener.stop(true);
  return listener.port;
}
