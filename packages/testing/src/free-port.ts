// Finds a TCP port for a server that another program is told about before it listens, or that listens there again.
import { randomInt } from "node:crypto";

/**
 * Systems choose the ports of outgoing connections, and of servers without a choice, from 32,768 on or above: one of
 * those could be taken before it is used.
 */
const chosen = { min: 11_000, max: 32_000 };

/** A TCP port of 127.0.0.1 that nothing currently listens on, and that no connection is given by chance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(chosen.min, chosen.max);
    if (isFree(port)) return port;
  }
}

function isFree(port: number): boolean {
  const socket = { data: () => undefined };
  try {
    Bun.listen({ port, hostname: "127.0.0.1", exclusive: true, socket }).stop(true);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
}
