// Listens for key changes and can prove that it hears: a message to itself takes the road of a real
// one, out through the pool and in through the direct connection. A listener that fails the proof
// (a pooler in between, another database, a dead socket) is closed, and the next proof opens anew.

import { type ChannelListener, type Db, listenChannel } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { keyChannel } from "./notify-key-change.ts";

export type NotificationProof = {
  /** What keeps notifications from arriving; undefined when they do. Never throws. */
  readonly prove: () => Promise<Error | undefined>;
  readonly close: () => Promise<void>;
};

const greetingPrefix = "proof ";

export function proveNotifications(options: {
  readonly db: Db;
  readonly directUrl: string;
  readonly timeoutMs: number;
  readonly onChange: (id: string) => void;
  readonly onGap: () => void;
}): NotificationProof {
  const greeting = greetingPrefix + crypto.randomUUID();
  let listener: ChannelListener | undefined;
  let closed = false;
  let greeted: () => void = () => undefined;

  function hear(payload: string): void {
    if (payload === greeting) greeted();
    else if (!payload.startsWith(greetingPrefix)) options.onChange(payload);
  }

  async function drop(): Promise<void> {
    const closing = listener;
    listener = undefined;
    await closing?.close().catch(() => undefined);
  }

  async function greet(): Promise<void> {
    listener ??= await listenChannel({
      url: options.directUrl,
      channel: keyChannel,
      onMessage: hear,
      onGap: options.onGap,
    });
    const arrival = new Promise<boolean>((resolve) => {
      greeted = () => resolve(true);
      setTimeout(() => resolve(false), options.timeoutMs).unref();
    });
    await options.db.execute(sql`select pg_notify(${keyChannel}, ${greeting})`);
    if (!(await arrival)) throw new Error("a notification to this instance did not arrive");
  }

  return {
    async prove() {
      try {
        await greet();
        if (closed) await drop();
        return undefined;
      } catch (thrown) {
        await drop();
        return thrown instanceof Error ? thrown : new Error(String(thrown));
      }
    },
    async close() {
      closed = true;
      await drop();
    },
  };
}
