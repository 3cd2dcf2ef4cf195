// A TCP proxy that misbehaves on command, in front of PostgreSQL or of the server: it can delay bytes, drop
// them, reset open connections and refuse new ones. It parses no protocol.
import { connect, type Socket } from "node:net";
import { freePort } from "./free-port.ts";
import { listenOnLoopback } from "./http-connection.ts";

export type Direction = "to-target" | "to-client";

export type TcpProxy = {
  port: number;
  /** Bytes passed on so far. */
  bytes: Readonly<Record<Direction, number>>;
  /** Connections that are open now. */
  readonly connections: number;
  /** Delays bytes, in one direction or both; `resume` lets them through. */
  pause(direction?: Direction): void;
  /** Ends pause and black hole. */
  resume(): void;
  /** Reads and drops bytes, in one direction or both. What was dropped is lost permanently. */
  blackHole(direction?: Direction): void;
  /** Makes every open connection half-open: what is sent on it is lost. New ones pass. */
  orphan(): void;
  /** Resets every open connection on both sides (RST). */
  cut(): void;
  /** Refuses new connections (nothing listens) until `accept`; open ones stay open. */
  refuse(): void;
  accept(): Promise<void>;
  /** Resolves at the next byte in that direction, whether it is passed on, held or dropped. */
  nextBytes(direction: Direction): Promise<void>;
  close(): Promise<void>;
};

type Mode = "pass" | "pause" | "drop";
const directions: readonly Direction[] = ["to-target", "to-client"];

/** Starts a proxy on the loopback address in front of a host and port. */
export async function startTcpProxy(target: { host?: string; port: number }): Promise<TcpProxy> {
  const links = new Set<Link>();
  const state = new ProxyState();
  const serve = (client: Socket) => {
    const link = new Link(client, connect(target.port, target.host ?? "127.0.0.1"), state);
    links.add(link);
    link.onClose = () => links.delete(link);
  };
  // One that nothing else is given while it refuses.
  let server = await listenOnLoopback(await freePort(), serve);
  const set = (mode: Mode, chosen: readonly Direction[]) => {
    for (const direction of chosen) state.modes[direction] = mode;
    for (const link of links) link.follow();
  };
  return {
    port: server.port,
    bytes: state.bytes,
    get connections() {
      return links.size;
    },
    pause: (direction) => set("pause", direction ? [direction] : directions),
    resume: () => set("pass", directions),
    blackHole: (direction) => set("drop", direction ? [direction] : directions),
    orphan: () => {
      for (const link of links) link.isOrphan = true;
    },
    cut: () => {
      for (const link of links) link.reset();
    },
    refuse: () => server.stopListening(),
    accept: async () => {
      server = await listenOnLoopback(server.port, serve);
    },
    nextBytes: (direction) => state.nextBytes(direction),
    close: async () => {
      for (const link of links) link.reset();
      await server.close();
    },
  };
}

class ProxyState {
  readonly modes: Record<Direction, Mode> = { "to-target": "pass", "to-client": "pass" };
  readonly bytes: Record<Direction, number> = { "to-target": 0, "to-client": 0 };
  readonly #waiting: Record<Direction, (() => void)[]> = { "to-target": [], "to-client": [] };

  nextBytes(direction: Direction): Promise<void> {
    return new Promise((resolve) => this.#waiting[direction].push(resolve));
  }

  sawBytes(direction: Direction): void {
    for (const tell of this.#waiting[direction].splice(0)) tell();
  }
}

/** One connection through the proxy: a client, a target, and the bytes held between them. */
class Link {
  onClose: () => void = () => undefined;
  isOrphan = false;
  readonly #held: Record<Direction, Buffer[]> = { "to-target": [], "to-client": [] };
  readonly #heldEnd = new Set<Direction>();

  constructor(
    readonly client: Socket,
    readonly target: Socket,
    readonly state: ProxyState,
  ) {
    client.setNoDelay(true);
    target.setNoDelay(true);
    for (const direction of directions) this.#carry(direction);
  }

  /** Passes on what was held, or drops it, once nothing delays it any more. */
  follow(): void {
    for (const direction of directions) {
      const mode = this.state.modes[direction];
      if (mode === "pause") continue;
      const held = this.#held[direction].splice(0);
      const ended = this.#heldEnd.delete(direction);
      if (mode === "drop") continue;
      for (const chunk of held) this.#pass(direction, chunk);
      if (ended) this.#endsOf(direction).to.end();
    }
  }

  reset(): void {
    this.client.resetAndDestroy();
    this.target.resetAndDestroy();
    this.onClose();
  }

  #endsOf(direction: Direction): { from: Socket; to: Socket } {
    return direction === "to-target"
      ? { from: this.client, to: this.target }
      : { from: this.target, to: this.client };
  }

  #carry(direction: Direction): void {
    const { from, to } = this.#endsOf(direction);
    from.on("data", (chunk: Buffer) => {
      this.state.sawBytes(direction);
      if (this.isOrphan) return;
      const mode = this.state.modes[direction];
      if (mode === "pause") this.#held[direction].push(chunk);
      if (mode === "pass") this.#pass(direction, chunk);
    });
    from.on("error", () => undefined);
    from.on("end", () => {
      if (this.isOrphan) return;
      const mode = this.state.modes[direction];
      if (mode === "pause") this.#heldEnd.add(direction);
      if (mode === "pass") to.end();
    });
    from.on("close", (failed: boolean) => {
      // A reset by one peer must be a reset for the other.
      const passes = this.state.modes[direction] === "pass" && !this.isOrphan;
      if (failed && passes) to.resetAndDestroy();
      this.onClose();
    });
  }

  #pass(direction: Direction, chunk: Buffer): void {
    const { from, to } = this.#endsOf(direction);
    this.state.bytes[direction] += chunk.length;
    if (to.write(chunk)) return;
    from.pause();
    to.once("drain", () => from.resume());
  }
}
