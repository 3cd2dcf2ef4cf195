// Listens for key changes and proves that they arrive: a message to itself takes the path of a real
// notification, out through the pool and in through the direct connection. A connection that fails the proof
// (a pooler in between, another database, a dead socket) is replaced before the next one.

import type { Db, Listener } from "@turnpike/db";
import { sql } from "drizzle-orm";
import { keyChannel } from "./notify-key-change.ts";

export type NotificationProof = {
  /** What keeps notifications from arriving; undefined when they do. Never throws. */
  readonly prove: () => Promise<Error | undefined>;
};

const greetingPrefix = "proof ";

export function proveNotifications(options: {
  readonly db: Db;
  readonly listener: Listener;
  readonly timeoutMs: number;
  readonly onChange: (id: string) => void;
  readonly onReconnect: () => void;
}): NotificationProof {
  const greeting = greetingPrefix + crypto.randomUUID();
  /** Whether the last proof succeeded; undefined before the first. */
  let proved: boolean | undefined;
  let greeted: () => void = () => undefined;

  function receive(payload: string): void {
    if (payload === greeting) greeted();
    else if (!payload.startsWith(greetingPrefix)) options.onChange(payload);
  }

  async function connect(): Promise<void> {
    if (proved === undefined) {
      await options.listener.subscribe(keyChannel, {
        onMessage: receive,
        onReconnect: options.onReconnect,
      });
    } else if (!proved) await options.listener.reconnect();
  }

  async function greet(): Promise<void> {
    await connect();
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
        proved = true;
        return undefined;
      } catch (thrown) {
        proved = false;
        return thrown instanceof Error ? thrown : new Error(String(thrown));
      }
    },
  };
}
