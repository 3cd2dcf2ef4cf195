// Hears NOTIFY on a direct connection. A reconnect means messages may have been missed, which the
// listener is told, so that caches can be dropped instead of trusted.
import { type Connection, connectDatabase } from "./connect.ts";

export type ChannelListener = { readonly close: () => Promise<void> };

/**
 * Listens on `channel` until closed; resolves when the first LISTEN was answered. `onGap` runs
 * after every reconnect: whatever was sent in between is lost.
 */
export async function listenChannel(options: {
  readonly url: string;
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  readonly onGap: () => void;
}): Promise<ChannelListener> {
  const connection: Connection = connectDatabase({
    url: options.url,
    max: 1,
    applicationName: `turnpike listen ${options.channel}`,
  });
  let heard = false;
  await connection.sql.listen(options.channel, options.onMessage, () => {
    if (heard) options.onGap();
    heard = true;
  });
  return { close: connection.close };
}
