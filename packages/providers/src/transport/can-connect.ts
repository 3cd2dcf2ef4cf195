// Whether an upstream accepts connections at all. `fetch` neither bounds the time it takes to connect nor
// reports when it has, so a call without a response checks with a separate connection.

/** Resolves within `limitMs`; false if the address is refused, unknown or silent until then. */
export function canConnect(baseUrl: string, limitMs: number): Promise<boolean> {
  const { hostname, port, protocol } = new URL(baseUrl);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), limitMs);
  const connecting = Bun.connect({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
    socket: {
      open: () => resolve(true),
      connectError: () => resolve(false),
      data: () => undefined,
    },
  });
  // One that opens only later is closed as well.
  connecting.then(
    (socket) => socket.terminate(),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
