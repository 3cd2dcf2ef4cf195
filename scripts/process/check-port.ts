// Finds out whether a port is in use.

const socket = { data: () => undefined };

/** Throws an Error whose message is one sentence if a program answers on `port` of localhost. */
export async function checkPort(port: number): Promise<void> {
  const other = await Bun.connect({ hostname: "localhost", port, socket }).catch(() => undefined);
  if (other === undefined) return;
  other.end();
  throw new Error(
    `Port ${port} is in use by another program: stop it, or set PORT, for example PORT=${port + 1}.`,
  );
}
