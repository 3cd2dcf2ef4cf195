// Hears NOTIFY on a direct connection. A reconnect means messages may have been missed, which the
// listener is told, so that caches can be dropped instead of trusted.
import { abandonConnection, connectDatabase } from "./connect.ts";

export type ChannelListener = { readonly close: () => Promise<void> };

/** A server that closes new connections makes the driver try again and again without a word. */
const answerTimeoutMs = 3_000;

/**
 * Listens on `channel` until closed; resolves when the first LISTEN was answered, throws when that
 * takes too long. `onGap` runs after every reconnect: whatever was sent in between is lost.
 */
export async function listenChannel(options: {
  readonly url: string;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  readonly onGap: () => void;
}): Promise<ChannelListener> {
  const connection = connectDatabase({
    url: options.url,
    max: 1,
    applicationName: `turnpike listen ${options.channel}`,
  });
  const timer = setTimeout(() => abandonConnection(connection), answerTimeoutMs);
  let heard = false;
  try {
    await connection.sql.listen(options.channel, options.onMessage, () => {
      if (heard) options.onGap();
      heard = true;
    });
    return { close: connection.close };
  } catch (thrown) {
    abandonConnection(connection);
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}
