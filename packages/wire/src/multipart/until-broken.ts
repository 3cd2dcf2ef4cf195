// Reads the chunks of a body until its sender or its reader gives up; either way the other is told.
import { Fault } from "@turnpike/base";

/** The chunks of a body, until its sender or its reader gives up. */
export async function* untilBroken(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    signal?.throwIfAborted();
    for (;;) {
      const next = await nextUnlessAborted(chunks, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Tells the sender that no more is read. It waits for the chunk that was asked for, which may never come.
    const ended = Promise.resolve(chunks.return?.()).catch(() => undefined);
    if (!signal?.aborted) await ended;
  }
}

/** Each chunk has a listener of its own: one promise that is raced with all of them would keep every one until the end. */
function nextUnlessAborted(
  chunks: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array>> {
  if (signal === undefined) return nextChunk(chunks);
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  void nextChunk(chunks)
    .then(resolve, reject)
    .finally(() => signal.removeEventListener("abort", abort));
  return promise;
}

/** An incomplete body is the client's fault. */
async function nextChunk(chunks: AsyncIterator<Uint8Array>) {
  try {
    return await chunks.next();
  } catch (cause) {
    const sentence = "The request body ended before it was complete.";
    throw new Fault("client_closed_request", sentence, { cause });
  }
}
