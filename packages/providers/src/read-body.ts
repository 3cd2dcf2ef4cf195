// Reads a whole body up to a limit, under the deadlines of its line.

import type { UpstreamLine } from "./upstream-line.ts";

export type ReadBody = { readonly text: string; readonly complete: boolean };

/** A body that tells so small a length is read at once: a reader costs as much as the call. */
const onePieceMaxBytes = 256 * 1024;

/** The bytes as text; `complete` is false when there were more than `maxBytes`. */
export async function readBody(
  response: Response,
  maxBytes: number,
  line: UpstreamLine,
): Promise<ReadBody> {
  const declared = Number(response.headers.get("content-length") ?? Number.NaN);
  if (declared <= Math.min(maxBytes, onePieceMaxBytes)) {
    // Who knows its length has begun the answer: from here on only silence is bounded.
    line.stopWaiting();
    line.startWaiting();
    const text = await response.text();
    line.stopWaiting();
    return { text, complete: true };
  }
  if (!response.body) return { text: "", complete: true };
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    const { done, value } = await line.read(reader);
    if (done) return { text: decode(chunks), complete: true };
    chunks.push(value);
    size += value.length;
    if (size <= maxBytes) continue;
    await reader.cancel();
    return { text: decode(chunks).slice(0, maxBytes), complete: false };
  }
}

function decode(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}
