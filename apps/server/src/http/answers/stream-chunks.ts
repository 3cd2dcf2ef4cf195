// The body of an answer that is read from where it is kept while it is sent.

/** `first` is awaited by the caller, so that what is broken at its beginning is refused, and does not become an answer that is cut. */
export function streamChunks(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array> | undefined = first;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await chunks.next());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
