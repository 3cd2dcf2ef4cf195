// Receives notifications of every channel over one direct connection. When a channel is listened to
// again after a loss, its subscriber is notified, because what was sent meanwhile is lost: caches are
// dropped instead of trusted.
import { abandonConnection, type Connection, connectDatabase } from "./connect.ts";

export type Subscriber = {
  readonly onMessage: (payload: string) => void;
  /** The channel is listened to again, or for the first time after `subscribe` failed. */
  readonly onReconnect: () => void;
};

export type Listener = {
  /**
   * Resolves when PostgreSQL confirmed LISTEN. Throws when that takes too long; the subscription stays,
   * and `reconnect` tries it again.
   */
  readonly subscribe: (channel: string, subscriber: Subscriber) => Promise<void>;
  /** Replaces the connection, which may be dead or pooled, and listens to every channel again. */
  readonly reconnect: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A server that closes new connections makes the driver retry without reporting anything. */
const answerTimeoutMs = 3_000;

/** `url` must not lead through a transaction pooler. Connects with the first subscription. */
export function openListener({ url }: { readonly url: string }): Listener {
  const subscribers = new Map<string, Subscriber & { heard: boolean }>();
  let connection: Connection | undefined;
  let closed = false;

  /** The driver repeats LISTEN on its own whenever the connection was lost. */
  async function listen(used: Connection, channels: Iterable<string>): Promise<void> {
    const confirmed = [...channels].map((channel) =>
      used.sql.listen(
        channel,
        (payload) => subscribers.get(channel)?.onMessage(payload),
        () => {
          const subscriber = subscribers.get(channel);
          if (subscriber?.heard === true) subscriber.onReconnect();
          if (subscriber !== undefined) subscriber.heard = true;
        },
      ),
    );
    await withinTimeout(Promise.all(confirmed));
  }

  async function attempt(channels: Iterable<string>): Promise<void> {
    connection ??= connectDatabase({ url, max: 1, applicationName: "turnpike listen" });
    const used = connection;
    try {
      await listen(used, channels);
    } catch (error) {
      abandonConnection(used);
      if (connection === used) connection = undefined;
      // Every channel may miss messages until it is listened to again.
      for (const subscriber of subscribers.values()) subscriber.heard = true;
      throw error;
    }
  }

  return {
    async subscribe(channel, subscriber) {
      subscribers.set(channel, { ...subscriber, heard: false });
      // After a failure every channel needs the new connection.
      await attempt(connection === undefined ? subscribers.keys() : [channel]);
    },
    async reconnect() {
      if (closed) return;
      if (connection !== undefined) abandonConnection(connection);
      connection = undefined;
      await attempt(subscribers.keys());
    },
    async close() {
      closed = true;
      subscribers.clear();
      await connection?.close();
    },
  };
}

async function withinTimeout(answers: Promise<unknown>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`no answer to LISTEN within ${answerTimeoutMs} ms`));
  }, answerTimeoutMs);
  try {
    await Promise.race([answers, late]);
  } finally {
    clearTimeout(timer);
  }
}
