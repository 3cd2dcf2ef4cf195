// A body with files, of a length known in advance: the bytes of its files are sent on from where they are kept, and never
// assembled. It can be sent any number of times.
import type { FileBytes } from "./file-bytes.ts";

export type UploadBody = {
  readonly contentType: string;
  readonly contentLength: number;
  chunks(): AsyncIterable<Uint8Array>;
  stream(): ReadableStream<Uint8Array>;
};

/** Bytes that are there, or those of a file. */
export type UploadPart = Uint8Array | Pick<FileBytes, "size" | "chunks">;

/** The parts one after another; of a single file it is the file itself. */
export function uploadBody(contentType: string, parts: readonly UploadPart[]): UploadBody {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      if (part instanceof Uint8Array) yield part;
      else yield* part.chunks();
    }
  }
  let contentLength = 0;
  for (const part of parts) {
    contentLength += part instanceof Uint8Array ? part.byteLength : part.size;
  }
  return { contentType, contentLength, chunks, stream: () => streamOf(chunks()) };
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
