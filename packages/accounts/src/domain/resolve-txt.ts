// Asks DNS for the TXT records that prove a domain.

import { Resolver } from "node:dns/promises";

/** The TXT records of a name; none if it does not exist. Rejects if nobody answers. */
export type ResolveTxt = (name: string) => Promise<readonly string[]>;

const answerMs = 3_000;

/** By these servers (`address` or `address:port`), or by those of the system. */
export function openResolver(servers: readonly string[]): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: answerMs, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      // A long record comes in parts.
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOTFOUND" || code === "ENODATA") return [];
      throw error;
    }
  };
}
