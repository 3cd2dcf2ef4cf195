// Reads a whole body up to a limit, under the deadlines of its line.

import type { UpstreamLine } from "./upstream-line.ts";

export type ReadBody = { readonly text: string; readonly complete: boolean };

/** The bytes as text; `complete` is false when there were more than `maxBytes`. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  line: UpstreamLine,
): Promise<ReadBody> {
  if (!body) return { text: "", complete: true };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (true) {
    line.startWaiting();
    const { done, value } = await reader.read();
    line.stopWaiting();
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
