// Waits until the other side of a connection has read what was sent to it: a reset discards the rest, so an answer that
// is reset at once may have delivered less than was written.
import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** One line for each socket: `sl local remote state tx:rx …`, numbers in hexadecimal. Only Linux has it. */
const table = "/proc/net/tcp";
const looksEveryMs = 5;
/** A program that is about to process what it has read needs the processor once more. */
const looksWithoutRest = 2;

/** Resolves when nothing is unread, when the connection has closed, or after `withinMs` for a peer that does not read. */
export async function untilRead(socket: Socket, withinMs = 5_000): Promise<void> {
  if (!existsSync(table)) return;
  const until = performance.now() + withinMs;
  for (let looks = 0; looks < looksWithoutRest && performance.now() < until; ) {
    await Bun.sleep(looksEveryMs);
    if (socket.destroyed) return;
    looks = hasUnread(socket) ? 0 : looks + 1;
  }
}

function hasUnread({ localPort, remotePort }: Socket): boolean {
  const ours = inTable(localPort);
  const theirs = inTable(remotePort);
  return readFileSync(table, "utf8")
    .split("\n")
    .some((line) => {
      const [, from = "", to = "", , queues = ""] = line.trim().split(/\s+/);
      const [unsent, unread] = queues.split(":");
      if (from.endsWith(ours) && to.endsWith(theirs)) return Number.parseInt(unsent ?? "", 16) > 0;
      if (!from.endsWith(theirs) || !to.endsWith(ours)) return false;
      return Number.parseInt(unread ?? "", 16) > 0;
    });
}

function inTable(port: number | undefined): string {
  return `:${(port ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
