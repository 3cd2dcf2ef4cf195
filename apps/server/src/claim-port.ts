// How the workers of one parent share a port with each other and with no other process: the first one
// takes it exclusively before it listens with the others, so that a port in use is refused.
import type { Config } from "./config.ts";

export type SharedPort = {
  /** 0 lets the system choose a free one. */
  readonly port: number;
  /** True for the first worker: the port must be free. */
  readonly claim: boolean;
};

/**
 * Throws EADDRINUSE if anything listens on the port or another Turnpike is about to. Listen before
 * the returned function is called; both in one turn of the event loop.
 */
export function claimPort({ HOST, PORT }: Pick<Config, "HOST" | "PORT">): () => void {
  if (PORT === 0) return () => undefined;
  // An abstract socket, which belongs to the same network namespace as the port and ends with its
  // process: two parents that start at the same instant would both find the port free.
  const claim = Bun.listen({ unix: `\0turnpike-port-${PORT}`, socket: { data: () => undefined } });
  try {
    const probe = Bun.serve({
      hostname: HOST,
      port: PORT,
      reusePort: false,
      fetch: () => new Response(null, { status: 503 }),
    });
    void probe.stop(true);
  } catch (error) {
    claim.stop(true);
    throw error;
  }
  return () => claim.stop(true);
}
