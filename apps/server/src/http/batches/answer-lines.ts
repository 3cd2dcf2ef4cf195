// Answers with text that is read and written line by line while it is sent.
import { answerHeaders, type CallIds } from "../answers/answer-fault.ts";
import { streamChunks } from "../answers/stream-chunks.ts";

/** Rejects with what is thrown before the first of `texts`. */
export async function answerLines(
  { method }: Pick<Request, "method">,
  ids: CallIds,
  contentType: string,
  texts: AsyncGenerator<string>,
): Promise<Response> {
  const chunks = encode(texts);
  const first = await chunks.next();
  const headers = {
    ...answerHeaders(ids),
    "content-type": contentType,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  };
  if (method !== "HEAD") return new Response(streamChunks(first, chunks), { headers });
  await chunks.return(undefined);
  return new Response(null, { headers });
}

async function* encode(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
