// Listens for key changes and can prove that it hears: a message to itself takes the road of a real
// one, out through the pool and in through the direct connection. A listener that fails the proof
// (a pooler in between, another database, a dead socket) is closed, and the next proof opens anew.

import { type ChannelListener, type Db, listenChannel } from "@turnpike/db";
import type { Log } from "@turnpike/telemetry";
import { sql } from "drizzle-orm";
import { keyChannel } from "./notify-key-change.ts";

export type NotificationProof = {
  /** Whether a notification arrives now. Never throws. */
  readonly prove: () => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const greetingPrefix = "proof ";
/** Longer than the driver's own limit for connecting, which comes with a better reason. */
const openTimeoutMs = 6_000;

export function proveNotifications(options: {
  readonly db: Db;
  readonly directUrl: string;
  readonly log: Log;
  readonly timeoutMs: number;
  readonly onChange: (id: string) => void;
  readonly onGap: () => void;
}): NotificationProof {
  const greeting = greetingPrefix + crypto.randomUUID();
  let listener: ChannelListener | undefined;
  let greeted: () => void = () => undefined;

  function hear(payload: string): void {
    if (payload === greeting) greeted();
    else if (!payload.startsWith(greetingPrefix)) options.onChange(payload);
  }

  async function open(): Promise<ChannelListener> {
    const opening = listenChannel({
      url: options.directUrl,
      channel: keyChannel,
      onMessage: hear,
      onGap: options.onGap,
    });
    const opened = await within(opening, openTimeoutMs);
    if (opened !== undefined) return opened;
    opening.then((late) => late.close()).catch(() => undefined);
    throw new Error("the direct connection did not answer LISTEN");
  }

  async function close(): Promise<void> {
    const closing = listener;
    listener = undefined;
    await closing?.close().catch(() => undefined);
  }

  return {
    close,
    async prove() {
      try {
        listener ??= await open();
        const arrival = new Promise<true>((resolve) => {
          greeted = () => resolve(true);
        });
        await options.db.execute(sql`select pg_notify(${keyChannel}, ${greeting})`);
        if ((await within(arrival, options.timeoutMs)) === true) return true;
        options.log.warn("notifications of API key changes do not arrive; polling instead");
      } catch (thrown) {
        options.log.warn({ err: thrown }, "cannot listen for API key changes; polling instead");
      }
      await close();
      return false;
    },
  };
}

/** What the promise resolves to, or undefined when that takes too long. */
async function within<Value>(promise: Promise<Value>, timeoutMs: number) {
  let timer: Timer | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
