// Passes a streamed answer on to its client and shows what passes. The source is always read to its end: at the client's
// pace as long as it is connected, and at full speed afterwards.

export type PassedBody = {
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves when the source has ended; rejects if it broke off. */
  readonly read: Promise<void>;
  /** Resolves when the client has received everything it will, or has disconnected. */
  readonly sent: Promise<void>;
};

/** `see` is shown all bytes in order; it must copy what it keeps. */
export function passOnBody(
  source: ReadableStream<Uint8Array>,
  see: (bytes: Uint8Array) => void,
): PassedBody {
  const reader = source.getReader();
  const read = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  let clientLeft = false;

  /** Undefined at the end of the source. */
  async function readOn(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await reader.read();
      if (!done) {
        see(value);
        return value;
      }
      read.resolve();
      return undefined;
    } catch (error) {
      read.reject(error);
      throw error;
    }
  }

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const bytes = await readOn();
        if (clientLeft) return;
        if (bytes !== undefined) return controller.enqueue(bytes);
        controller.close();
      } catch (error) {
        if (!clientLeft) controller.error(error);
      }
      sent.resolve();
    },
    async cancel() {
      clientLeft = true;
      sent.resolve();
      while ((await readOn()) !== undefined);
    },
  });
  return { body, read: read.promise, sent: sent.promise };
}
