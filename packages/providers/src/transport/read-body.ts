// Reads a whole body up to a limit, under the deadlines of its call. Once its client has disconnected, an
// answer is not kept: only what its bill needs stays in memory.

import type { MemberScan } from "./scan-members.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";

const decoder = new TextDecoder();

export type ReadBody = {
  /** Empty if the data was passed to `scan` instead. */
  readonly text: string;
  /** False when there were more than `maxBytes`. */
  readonly complete: boolean;
  readonly scanned: boolean;
};

/** The bytes as text, or, once the answer is unread, passed to `scan` instead of being kept. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  connection: Pick<UpstreamConnection, "startWaiting" | "stopWaiting" | "unread">,
  scan?: MemberScan,
): Promise<ReadBody> {
  if (!body) return { text: "", complete: true, scanned: false };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let scanned = false;
  while (true) {
    connection.startWaiting();
    const { done, value } = await reader.read();
    connection.stopWaiting();
    if (done) return { text: decode(chunks), complete: true, scanned };
    chunks.push(value);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return { text: decode(chunks).slice(0, maxBytes), complete: false, scanned };
    }
    if (scan === undefined || !connection.unread) continue;
    scanned = true;
    for (const chunk of chunks.splice(0)) scan.push(chunk);
  }
}

/**
 * The same for a body whose announced length is short: read in one piece, which costs far less. Its
 * head has arrived, so no more than the silence between two reads may pass until the rest has arrived.
 */
export async function readShortBody(
  response: Response,
  connection: UpstreamConnection,
  scan: MemberScan,
): Promise<ReadBody> {
  connection.stopWaiting();
  connection.startWaiting();
  const bytes = await response.bytes();
  connection.stopWaiting();
  if (!connection.unread) return { text: decode([bytes]), complete: true, scanned: false };
  scan.push(bytes);
  return { text: "", complete: true, scanned: true };
}

function decode(chunks: readonly Uint8Array[]): string {
  const [first, second] = chunks;
  return decoder.decode(
    first !== undefined && second === undefined ? first : Buffer.concat(chunks),
  );
}
